# watershed 0.1.0
# command: build/watershed plot calibration test/calibrate/calibration.csv test/calibrate/calibration-advised.csv -o plots/gallery/calibration.svg

# To draw the figure again after a change, type in this folder: gnuplot calibration.gp

set terminal svg noenhanced size 800,600 font 'DejaVu Sans,Helvetica,Arial,sans-serif,18' background rgb 'white'
mark = 0.62
set output './calibration.svg'
set encoding utf8
set datafile missing 'nan'
set border 3 linecolor rgb '#404040'
set tics nomirror scale 0.6 textcolor rgb '#202020'
set grid back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8
set label 1000 'data: calibration, calibration-advised · watershed 0.1.0' at screen 0.985, screen 0.022 right font ',12' textcolor rgb '#707070'

# 12 bursts at most: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part1 << e
17 96.6666666667 3.27730693417 30 1
16 100 1.78571428571 28 1
15 100 1.92307692308 26 1
14 100 1.72413793103 29 1
13 100 1.47058823529 34 1
12 96.2962962963 3.63446949232 27 1
11 100 7.14285714286 7 1
10 92 5.4258639865 25 1
9 100 1.66666666667 30 1
8 100 12.5 4 1
7 100 6.25 8 0
6 100 6.25 8 0
5 87.5 11.6926793337 8 0
4 60 21.9089023002 5 0
3 62.5 17.116329922 8 0
2 75 15.3093108924 8 0
1 100 7.14285714286 7 1
e

# more than 12 bursts: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part2 << e
17 100 1.5625 32 1
16 96.9696969697 2.98403614495 33 1
15 93.75 4.27908248051 32 1
14 100 1.5625 32 1
13 96.9696969697 2.98403614495 33 1
12 93.5483870968 4.41236525434 31 1
11 100 5 10 1
10 100 1.5625 32 1
9 100 1.51515151515 33 1
8 100 3.33333333333 15 1
7 100 5.55555555556 9 0
6 88.8888888889 10.4756560176 9 0
5 100 5.55555555556 9 0
4 90 9.48683298051 10 0
3 55.5555555556 16.5634665 9 0
2 100 5.55555555556 9 0
1 100 6.25 8 1
e

# until advice says stop: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part3 << e
17 100 7.14285714286 7 1
16 100 7.14285714286 7 1
15 100 7.14285714286 7 1
14 100 7.14285714286 7 1
13 100 7.14285714286 7 1
12 80 17.88854382 5 1
11 100 25 2 1
10 100 7.14285714286 7 1
9 100 7.14285714286 7 1
8 100 16.6666666667 3 1
7 100 25 2 0
6 50 35.3553390593 2 0
5 100 25 2 0
4 50 35.3553390593 2 0
3 100 25 2 0
2 100 25 2 0
1 100 25 2 1
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 153.846153846
0.15 153.846153846
0.25 230.769230769
0.35 230.769230769
0.45 0
0.55 0
0.65 76.9230769231
0.75 76.9230769231
0.85 76.9230769231
0.95 0
e
$lawful1 << e
0.05 126.475548061
0.15 112.984822934
0.25 92.7487352445
0.35 91.0623946037
0.45 99.4940978078
0.55 101.180438449
0.65 109.612141653
0.75 86.0033726813
0.85 102.866779089
0.95 77.5716694772
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 71.4285714286
0.15 142.857142857
0.25 0
0.35 142.857142857
0.45 142.857142857
0.55 71.4285714286
0.65 142.857142857
0.75 142.857142857
0.85 0
0.95 142.857142857
e
$lawful2 << e
0.05 84.0064620355
0.15 72.6978998384
0.25 72.6978998384
0.35 71.0823909532
0.45 106.62358643
0.55 135.702746365
0.65 109.8546042
0.75 106.62358643
0.85 88.8529886914
0.95 151.857835218
e

set multiplot
set label '95 % intervals that hold the depth / %; left: how many have two ends' at screen 0.5775, screen 0.345 center
set lmargin at screen 0.185; set rmargin at screen 0.433333333333; set bmargin at screen 0.43; set tmargin at screen 0.93
set xtics 10, 20 font ',14'
set ytics ('shared-frames' 17, 'shared-bytes' 16, 'shared-cells' 15, 'per-input-frames' 14, 'per-input-bytes' 13, 'bucket' 12, 'random-loss' 11, 'other-traffic' 10, 'one-mix' 9, 'known-rate' 8, 'heavy-tails' 7, 'overhead' 6, 'drift' 5, 'depth-drift' 4, 'uneven-uplinks' 3, 'bad-row' 2, 'any' 1) font ',14'
set xrange [-12.5:101.5]; set yrange [0.4:17.6]
set object rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set arrow from first 95, graph 0 to first 95, graph 1 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000' back
set label '12 bursts at most' at graph 0.5, graph 1.045 center font ',15'
set label 'laws kept,' at screen 0.02, screen 0.95 font ',14' textcolor rgb '#0072B2'
set label 'broken' at screen 0.115, screen 0.95 font ',14' textcolor rgb '#D55E00'
unset key
plot $part1 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $part1 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#D55E00' notitle, \
     $part1 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle

unset label; unset arrow; unset object
set lmargin at screen 0.453333333333; set rmargin at screen 0.701666666667; set bmargin at screen 0.43; set tmargin at screen 0.93
unset logscale x
set format x
set xtics 10, 20 font ',14'
unset logscale y
set format y
set ytics ('' 17, '' 16, '' 15, '' 14, '' 13, '' 12, '' 11, '' 10, '' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1) font ',14'
set xrange [-12.5:101.5]; set yrange [0.4:17.6]
set object rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set arrow from first 95, graph 0 to first 95, graph 1 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000' back
set label 'more than 12 bursts' at graph 0.5, graph 1.045 center font ',15'
unset key
plot $part2 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $part2 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#D55E00' notitle, \
     $part2 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle

unset label; unset arrow; unset object
set lmargin at screen 0.721666666667; set rmargin at screen 0.97; set bmargin at screen 0.43; set tmargin at screen 0.93
unset logscale x
set format x
set xtics 10, 20 font ',14'
unset logscale y
set format y
set ytics ('' 17, '' 16, '' 15, '' 14, '' 13, '' 12, '' 11, '' 10, '' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1) font ',14'
set xrange [-12.5:101.5]; set yrange [0.4:17.6]
set object rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set arrow from first 95, graph 0 to first 95, graph 1 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000' back
set label 'until advice says stop' at graph 0.5, graph 1.045 center font ',15'
unset key
plot $part3 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $part3 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9 * mark linewidth 1.6 dashtype 1 linecolor rgb '#D55E00' notitle, \
     $part3 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle

unset label; unset arrow; unset object
set lmargin at screen 0.135; set rmargin at screen 0.5075; set bmargin at screen 0.15; set tmargin at screen 0.285
unset logscale x
set format x
set xtics 0.2
unset logscale y
set format y
set ytics 50
set xrange [0:1]; set yrange [0:230.769230769]
set label 'rank of the true depth' at screen 0.32125, screen 0.065 center
set label 'campaigns /'."\n".'% of even ranks' at screen 0.024, screen 0.2175 center rotate by 90
set arrow from graph 0, first 100 to graph 1, first 100 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000'
set object rectangle from graph 0, first 0 to graph 1, first 230.769230769 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label 'all drawn from the prior' at screen 0.135, screen 0.305 font ',14' textcolor rgb '#0072B2'
unset key
plot $drawn1 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $lawful1 using 1:2 with histeps linewidth 2 dashtype 1 linecolor rgb '#D55E00' notitle

unset label; unset arrow; unset object
set lmargin at screen 0.5975; set rmargin at screen 0.97; set bmargin at screen 0.15; set tmargin at screen 0.285
unset logscale x
set format x
set xtics 0.2
unset logscale y
set format y
set ytics 50
set xrange [0:1]; set yrange [0:200]
set label 'rank of the true rate' at screen 0.78375, screen 0.065 center
set arrow from graph 0, first 100 to graph 1, first 100 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000'
set object rectangle from graph 0, first 0 to graph 1, first 200 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label 'sizes as in the cells' at screen 0.5975, screen 0.305 font ',14' textcolor rgb '#D55E00'
unset key
plot $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 dashtype 1 linecolor rgb '#D55E00' notitle
unset multiplot
unset output
