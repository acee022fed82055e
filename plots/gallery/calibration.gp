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
16 100 1.85185185185 27 1
15 92.5925925926 5.04010235141 27 1
14 100 1.51515151515 33 1
13 100 1.61290322581 31 1
12 96.5517241379 3.388301272 29 1
11 100 6.25 8 1
10 82.6086956522 7.90341964475 23 1
9 100 1.78571428571 28 1
8 100 12.5 4 1
7 100 6.25 8 0
6 100 10 5 0
5 87.5 11.6926793337 8 0
4 60 21.9089023002 5 0
3 71.4285714286 17.0746944191 7 0
2 75 15.3093108924 8 0
1 100 6.25 8 1
e

# more than 12 bursts: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part2 << e
17 100 1.5625 32 1
16 97.0588235294 2.89760107689 34 1
15 90.9090909091 5.00438075057 33 1
14 100 1.5625 32 1
13 96.875 3.07578432579 32 1
12 90.9090909091 5.00438075057 33 1
11 100 5 10 1
10 96.7741935484 3.17335081831 31 1
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
15 85.7142857143 13.2260014253 7 1
14 100 7.14285714286 7 1
13 100 8.33333333333 6 1
12 85.7142857143 13.2260014253 7 1
11 100 25 2 1
10 71.4285714286 17.0746944191 7 1
9 100 7.14285714286 7 1
8 100 16.6666666667 3 1
7 100 25 2 0
6 100 25 2 0
5 100 25 2 0
4 100 25 2 0
3 50 35.3553390593 2 0
2 100 25 2 0
1 100 25 2 1
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 153.846153846
0.15 153.846153846
0.25 76.9230769231
0.35 384.615384615
0.45 0
0.55 0
0.65 76.9230769231
0.75 76.9230769231
0.85 76.9230769231
0.95 0
e
$lawful1 << e
0.05 109.612141653
0.15 94.4350758853
0.25 112.984822934
0.35 111.298482293
0.45 104.55311973
0.55 111.298482293
0.65 89.3760539629
0.75 80.9443507589
0.85 97.8077571669
0.95 87.6897133221
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 0
0.15 133.333333333
0.25 0
0.35 66.6666666667
0.45 66.6666666667
0.55 266.666666667
0.65 0
0.75 133.333333333
0.85 66.6666666667
0.95 266.666666667
e
$lawful2 << e
0.05 65.8105939005
0.15 72.2311396469
0.25 62.6003210273
0.35 80.2568218299
0.45 105.939004815
0.55 120.385232745
0.65 133.226324238
0.75 104.333868379
0.85 117.174959872
0.95 138.041733547
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
set ytics 100
set xrange [0:1]; set yrange [0:384.615384615]
set label 'rank of the true depth' at screen 0.32125, screen 0.065 center
set label 'campaigns /'."\n".'% of even ranks' at screen 0.024, screen 0.2175 center rotate by 90
set arrow from graph 0, first 100 to graph 1, first 100 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000'
set object rectangle from graph 0, first 0 to graph 1, first 263.08185769 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
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
set xrange [0:1]; set yrange [0:266.666666667]
set label 'rank of the true rate' at screen 0.78375, screen 0.065 center
set arrow from graph 0, first 100 to graph 1, first 100 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000'
set object rectangle from graph 0, first 0 to graph 1, first 251.820947171 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
set label 'sizes as in the cells' at screen 0.5975, screen 0.305 font ',14' textcolor rgb '#D55E00'
unset key
plot $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 dashtype 1 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 dashtype 1 linecolor rgb '#D55E00' notitle
unset multiplot
unset output
