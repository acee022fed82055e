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
17 98.5507246377 1.43873503798 69 1
16 100 0.806451612903 62 1
15 93.9393939394 2.93704051271 66 1
14 98.5294117647 1.45973503726 68 1
13 98.5074626866 1.48135710123 67 1
12 96.8253968254 2.20886457992 63 1
11 85.7142857143 9.35219529583 14 1
10 88.8888888889 3.95942580611 63 1
9 100 0.735294117647 68 1
8 100 4.54545454545 11 1
7 100 2.94117647059 17 0
6 100 3.33333333333 15 0
5 94.1176470588 5.70672058909 17 0
4 91.6666666667 7.9785592313 12 0
3 42.8571428571 13.2260014253 14 0
2 87.5 8.26797284708 16 0
1 100 3.33333333333 15 1
e

# more than 12 bursts: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part2 << e
17 98.8095238095 1.18336880641 84 1
16 98.8636363636 1.12988857718 88 1
15 94.1176470588 2.55212303316 85 1
14 100 0.595238095238 84 1
13 92.9411764706 2.77818256996 85 1
12 93.9759036145 2.61165114483 83 1
11 97.0588235294 2.89760107689 34 1
10 95.1219512195 2.37879226926 82 1
9 98.8095238095 1.18336880641 84 1
8 97.3684210526 2.59672205807 38 1
7 100 2.27272727273 22 0
6 84 7.33212111193 25 0
5 100 2 25 0
4 95.8333333333 4.07893754322 24 0
3 40.9090909091 10.4823561107 22 0
2 95.8333333333 4.07893754322 24 0
1 100 2.17391304348 23 1
e

# until advice says stop: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part3 << e
17 100 7.14285714286 7 1
16 100 7.14285714286 7 1
15 85.7142857143 13.2260014253 7 1
14 100 7.14285714286 7 1
13 100 8.33333333333 6 1
12 85.7142857143 13.2260014253 7 1
11 100 25 2 1
10 66.6666666667 19.245008973 6 1
9 100 7.14285714286 7 1
8 100 16.6666666667 3 1
7 100 25 2 0
6 100 25 2 0
5 100 25 2 0
4 50 35.3553390593 2 0
3 50 35.3553390593 2 0
2 100 25 2 0
1 100 25 2 1
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 142.857142857
0.15 114.285714286
0.25 57.1428571429
0.35 200
0.45 85.7142857143
0.55 57.1428571429
0.65 114.285714286
0.75 57.1428571429
0.85 57.1428571429
0.95 114.285714286
e
$lawful1 << e
0.05 101.492537313
0.15 102.985074627
0.25 107.462686567
0.35 99.2537313433
0.45 110.447761194
0.55 108.208955224
0.65 80.5970149254
0.75 85.0746268657
0.85 88.0597014925
0.95 116.417910448
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 78.9473684211
0.15 131.578947368
0.25 78.9473684211
0.35 52.6315789474
0.45 78.9473684211
0.55 184.210526316
0.65 26.3157894737
0.75 157.894736842
0.85 78.9473684211
0.95 131.578947368
e
$lawful2 << e
0.05 78.125
0.15 66.0511363636
0.25 90.9090909091
0.35 91.6193181818
0.45 107.954545455
0.55 116.477272727
0.65 121.448863636
0.75 107.244318182
0.85 93.0397727273
0.95 127.130681818
e
set multiplot
set label '95 % intervals that hold the depth / %; left: how many have two ends' at screen 0.5775, screen 0.345 center
set label 'laws kept,' at screen 0.02, screen 0.95 font ',14' textcolor rgb '#0072B2'
set label 'broken' at screen 0.115, screen 0.95 font ',14' textcolor rgb '#D55E00'
set lmargin at screen 0.185; set rmargin at screen 0.433333333333; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-12.5:101.5]; set yrange [0.4:17.6]; set xtics 10, 20 font ',14'
set ytics font ',14' ('shared-frames' 17, 'shared-bytes' 16, 'shared-cells' 15, 'per-input-frames' 14, 'per-input-bytes' 13, 'bucket' 12, 'random-loss' 11, 'other-traffic' 10, 'one-mix' 9, 'known-rate' 8, 'heavy-tails' 7, 'overhead' 6, 'drift' 5, 'depth-drift' 4, 'uneven-uplinks' 3, 'bad-row' 2, 'any' 1)
set object 1 rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 2 rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 3 rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 4 rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 5 rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 6 rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 7 rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 8 rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 9 rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 10 rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 11 rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 12 rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 13 rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 14 rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 15 rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 16 rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 17 rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label '12 bursts at most' at graph 0.5, graph 1.045 center font ',15'
set arrow 1 from first 95, graph 0 to first 95, graph 1 nohead dashtype 2 linewidth 1.2 back
plot $part1 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#0072B2' notitle, \
     $part1 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#D55E00' notitle, \
     $part1 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle
unset object; unset label; unset arrow 1
set lmargin at screen 0.453333333333; set rmargin at screen 0.701666666667; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-12.5:101.5]; set yrange [0.4:17.6]; set xtics 10, 20 font ',14'
set ytics font ',14' ('' 17, '' 16, '' 15, '' 14, '' 13, '' 12, '' 11, '' 10, '' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1)
set object 1 rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 2 rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 3 rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 4 rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 5 rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 6 rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 7 rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 8 rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 9 rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 10 rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 11 rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 12 rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 13 rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 14 rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 15 rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 16 rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 17 rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label 'more than 12 bursts' at graph 0.5, graph 1.045 center font ',15'
set arrow 1 from first 95, graph 0 to first 95, graph 1 nohead dashtype 2 linewidth 1.2 back
plot $part2 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#0072B2' notitle, \
     $part2 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#D55E00' notitle, \
     $part2 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle
unset object; unset label; unset arrow 1
set lmargin at screen 0.721666666667; set rmargin at screen 0.97; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-12.5:101.5]; set yrange [0.4:17.6]; set xtics 10, 20 font ',14'
set ytics font ',14' ('' 17, '' 16, '' 15, '' 14, '' 13, '' 12, '' 11, '' 10, '' 9, '' 8, '' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1)
set object 1 rectangle from first 92, first 16.5 to first 98, first 17.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 2 rectangle from first 92, first 15.5 to first 98, first 16.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 3 rectangle from first 92, first 14.5 to first 98, first 15.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 4 rectangle from first 92, first 13.5 to first 98, first 14.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 5 rectangle from first 92, first 12.5 to first 98, first 13.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 6 rectangle from first 92, first 11.5 to first 98, first 12.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 7 rectangle from first 92, first 10.5 to first 98, first 11.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 8 rectangle from first 92, first 9.5 to first 98, first 10.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 9 rectangle from first 92, first 8.5 to first 98, first 9.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 10 rectangle from first 92, first 7.5 to first 98, first 8.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 11 rectangle from first 85, first 6.5 to first 100, first 7.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 12 rectangle from first 85, first 5.5 to first 100, first 6.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 13 rectangle from first 85, first 4.5 to first 100, first 5.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 14 rectangle from first 85, first 3.5 to first 100, first 4.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 15 rectangle from first 85, first 2.5 to first 100, first 3.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 16 rectangle from first 85, first 1.5 to first 100, first 2.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set object 17 rectangle from first 92, first 0.5 to first 98, first 1.5 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label 'until advice says stop' at graph 0.5, graph 1.045 center font ',15'
set arrow 1 from first 95, graph 0 to first 95, graph 1 nohead dashtype 2 linewidth 1.2 back
plot $part3 using ($5 == 1 ? $2 : NaN):1:3 with xerrorbars pointtype 7 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#0072B2' notitle, \
     $part3 using ($5 == 0 ? $2 : NaN):1:3 with xerrorbars pointtype 9 pointsize 0.9*mark linewidth 1.6 linecolor rgb '#D55E00' notitle, \
     $part3 using (-1.25):1:(sprintf('%d', $4)) with labels font ',13' notitle
unset object; unset label; unset arrow 1
set label 'campaigns /'."\n".'% of even ranks' at screen 0.024, screen 0.2175 center rotate by 90
set label 'all drawn from the prior' at screen 0.135, screen 0.305 font ',14' textcolor rgb '#0072B2'
set lmargin at screen 0.135; set rmargin at screen 0.5075; set bmargin at screen 0.15; set tmargin at screen 0.285
set xrange [0:1]; set yrange [0:200]; set xtics autofreq; set xtics 0.2
set ytics autofreq; set ytics 50
set label 'rank of the true depth' at screen 0.32125, screen 0.065 center
set object 1 rectangle from graph 0, first 0.609859643926 to graph 1, first 199.390140356 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn1 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful1 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
set label 'sizes as in the cells' at screen 0.5975, screen 0.305 font ',14' textcolor rgb '#D55E00'
set lmargin at screen 0.5975; set rmargin at screen 0.97; set bmargin at screen 0.15; set tmargin at screen 0.285
set xrange [0:1]; set yrange [0:200]; set xtics autofreq; set xtics 0.2
set ytics autofreq; set ytics 50
set label 'rank of the true rate' at screen 0.78375, screen 0.065 center
set object 1 rectangle from graph 0, first 4.61380437511 to graph 1, first 195.386195625 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
unset multiplot
unset output
