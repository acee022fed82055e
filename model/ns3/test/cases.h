// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>
#include <ns3/test.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

/// The words of test/catch.h, for the test runner of ns-3: there each TEST_CASE is a case of the suite
/// "watershed".
namespace watershed {

/// A unit test, as by default: releases of ns-3 spell this word differently, and how long a case takes.
class WatershedTestSuite : public ns3::TestSuite {
  public:
    using ns3::TestCase::AddTestCase;
    /// Adds a case that runs where -f EXTENSIVE asks for it. @param add  AddTestCase()
    template <class Duration>
    void AddLong(void (ns3::TestCase::*add)(ns3::TestCase*, Duration), ns3::TestCase* one) {
        constexpr int kExtensive = 2;
        (this->*add)(one, static_cast<Duration>(kExtensive));
    }
    static WatershedTestSuite& Get() {
        static auto* const suite = new WatershedTestSuite;  // the runner keeps it
        return *suite;
    }

  private:
    WatershedTestSuite() : TestSuite("watershed") {}
    void DoSetup() override { ns3::Packet::EnablePrinting(); }  // for captures as text; before the first packet
};

class SuiteCase : public ns3::TestCase {
  public:
    /// @param tags  "[long]" for what takes tens of seconds in a debug build
    static bool Add(void (*body)(), const char* name, const std::string& tags = "") {
        WatershedTestSuite& suite = WatershedTestSuite::Get();
        auto* const one = new SuiteCase(name, body);
        if (tags == "[long]")
            suite.AddLong(&WatershedTestSuite::AddTestCase, one);
        else
            suite.AddTestCase(one);
        return true;
    }
    static void Check(bool holds, const char* what, const char* file, int line) {
        if (!holds) s_running->ReportTestFailure(what, "false", "true", "", file, line);
    }
    static void Require(bool holds, const char* what, const char* file, int line) {
        Check(holds, what, file, line);
        if (!holds) throw Stop{};
    }

  private:
    struct Stop {};

    SuiteCase(const char* name, void (*body)()) : TestCase(name), m_body(body) {}
    void DoRun() override {
        s_running = this;
        try {
            m_body();
        } catch (const Stop&) {
        }
    }

    void (*m_body)();
    inline static SuiteCase* s_running = nullptr;
};

/// A number, to within a share of it or a margin.
class Approx {
  public:
    explicit Approx(double value, double most = 0) : m_value(value), m_most(most) {}
    Approx epsilon(double share) const { return margin(share * std::abs(m_value)); }
    Approx margin(double most) const { return Approx(m_value, most); }
    friend bool operator==(double value, const Approx& to) { return std::abs(value - to.m_value) <= to.m_most; }

  private:
    double m_value, m_most;
};

/// A condition on a text.
class TextMatcher {
  public:
    explicit TextMatcher(std::function<bool(const std::string&)> holds) : m_holds(std::move(holds)) {}
    bool operator()(const std::string& text) const { return m_holds(text); }
    friend TextMatcher operator&&(const TextMatcher& one, const TextMatcher& other) {
        return TextMatcher([=](const std::string& text) { return one(text) && other(text); });
    }

  private:
    std::function<bool(const std::string&)> m_holds;
};

inline TextMatcher Contains(const std::string& part) {
    return TextMatcher([part](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace watershed

#define WATERSHED_CASE_AT(line, ...)                                                                               \
    static void TestCaseAt##line();                                                                                \
    [[maybe_unused]] static const bool g_caseAt##line = watershed::SuiteCase::Add(&TestCaseAt##line, __VA_ARGS__); \
    static void TestCaseAt##line()
#define WATERSHED_CASE(line, ...) WATERSHED_CASE_AT(line, __VA_ARGS__)

#define TEST_CASE(...) WATERSHED_CASE(__LINE__, __VA_ARGS__)
#define CHECK(...) watershed::SuiteCase::Check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_FALSE(...) CHECK(!(__VA_ARGS__))
#define CHECK_THAT(text, matcher) CHECK((matcher)(text))
#define REQUIRE(...) watershed::SuiteCase::Require(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define REQUIRE_FALSE(...) REQUIRE(!(__VA_ARGS__))
#define CAPTURE(...) static_cast<void>(0)
