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
17 98.3870967742 1.59984306572 62 1
16 100 0.819672131148 61 1
15 93.6507936508 3.07216952878 63 1
14 98.4848484848 1.50362928318 66 1
13 98.5294117647 1.45973503726 68 1
12 96.9230769231 2.14197914258 65 1
11 86.6666666667 8.77707451473 15 1
10 92.4242424242 3.25712192794 66 1
9 100 0.746268656716 67 1
8 100 7.14285714286 7 1
7 100 2.94117647059 17 0
6 100 3.33333333333 15 0
5 93.75 6.05153647845 16 0
4 78.5714285714 10.9664210511 14 0
3 30.7692307692 12.800773759 13 0
2 86.6666666667 8.77707451473 15 0
1 100 3.125 16 1
e

# more than 12 bursts: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part2 << e
17 98.8095238095 1.18336880641 84 1
16 98.8505747126 1.14280030257 87 1
15 93.9759036145 2.61165114483 83 1
14 100 0.595238095238 84 1
13 94.1176470588 2.55212303316 85 1
12 95.1807228916 2.35085803099 83 1
11 97.1428571429 2.8160307446 35 1
10 96.4285714286 2.02480967684 84 1
9 98.8095238095 1.18336880641 84 1
8 97.3684210526 2.59672205807 38 1
7 100 2.27272727273 22 0
6 84 7.33212111193 25 0
5 100 2 25 0
4 91.6666666667 5.64169333655 24 0
3 42.8571428571 10.7989849431 21 0
2 95.652173913 4.25225779932 23 0
1 95.652173913 4.25225779932 23 1
e

# until advice says stop: place of the subject, 95 % intervals of the depth that hold it / %, error, how many have two ends, laws kept
$part3 << e
17 100 7.14285714286 7 1
16 100 8.33333333333 6 1
15 83.3333333333 15.2145154863 6 1
14 100 7.14285714286 7 1
13 100 7.14285714286 7 1
12 100 7.14285714286 7 1
11 100 50 1 1
10 100 7.14285714286 7 1
9 100 7.14285714286 7 1
8 100 16.6666666667 3 1
7 100 25 2 0
6 100 25 2 0
5 50 35.3553390593 2 0
4 50 35.3553390593 2 0
3 0 25 2 0
2 100 50 1 0
1 100 25 2 1
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 142.857142857
0.15 114.285714286
0.25 57.1428571429
0.35 57.1428571429
0.45 114.285714286
0.55 171.428571429
0.65 85.7142857143
0.75 57.1428571429
0.85 57.1428571429
0.95 142.857142857
e
$lawful1 << e
0.05 98.7933634992
0.15 108.597285068
0.25 91.2518853695
0.35 110.105580694
0.45 101.809954751
0.55 109.351432881
0.65 85.2187028658
0.75 96.5309200603
0.85 88.2352941176
0.95 110.105580694
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 102.564102564
0.15 153.846153846
0.25 51.2820512821
0.35 205.128205128
0.45 51.2820512821
0.55 102.564102564
0.65 51.2820512821
0.75 153.846153846
0.85 51.2820512821
0.95 76.9230769231
e
$lawful2 << e
0.05 78.9662598708
0.15 73.9411342426
0.25 96.1952620244
0.35 91.1701363963
0.45 111.988513999
0.55 122.756640345
0.65 109.834888729
0.75 106.245513281
0.85 87.5807609476
0.95 121.320890165
e
set multiplot
set label '95 % intervals that hold the depth / %; left: how many have two ends' at screen 0.5775, screen 0.345 center
set label 'laws kept,' at screen 0.02, screen 0.95 font ',14' textcolor rgb '#0072B2'
set label 'broken' at screen 0.115, screen 0.95 font ',14' textcolor rgb '#D55E00'
set lmargin at screen 0.185; set rmargin at screen 0.433333333333; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-25:101.5]; set yrange [0.4:17.6]; set xtics 0, 20 font ',14'
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
     $part1 using (-12.5):1:(sprintf('%d', $4)) with labels font ',13' notitle
unset object; unset label; unset arrow 1
set lmargin at screen 0.453333333333; set rmargin at screen 0.701666666667; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-25:101.5]; set yrange [0.4:17.6]; set xtics 0, 20 font ',14'
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
     $part2 using (-12.5):1:(sprintf('%d', $4)) with labels font ',13' notitle
unset object; unset label; unset arrow 1
set lmargin at screen 0.721666666667; set rmargin at screen 0.97; set bmargin at screen 0.43; set tmargin at screen 0.93
set xrange [-25:101.5]; set yrange [0.4:17.6]; set xtics 0, 20 font ',14'
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
     $part3 using (-12.5):1:(sprintf('%d', $4)) with labels font ',13' notitle
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
set xrange [0:1]; set yrange [0:205.128205128]; set xtics autofreq; set xtics 0.2
set ytics autofreq; set ytics 50
set label 'rank of the true rate' at screen 0.78375, screen 0.065 center
set object 1 rectangle from graph 0, first 5.84464556261 to graph 1, first 194.155354437 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
unset multiplot
unset output
