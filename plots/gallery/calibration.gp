# watershed 0.1.0
# command: build/watershed plot calibration test/calibrate/calibration.csv -o plots/gallery/calibration.svg
# To draw the figure again after a change, type in this folder: gnuplot calibration.gp

set terminal svg noenhanced size 800,600 font 'DejaVu Sans,Helvetica,Arial,sans-serif,18' background rgb 'white'
mark = 0.62
set output './calibration.svg'
set encoding utf8
set datafile missing 'nan'
set border 3 linecolor rgb '#404040'
set tics nomirror scale 0.6 textcolor rgb '#202020'
set grid back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8
set label 1000 'data: calibration · watershed 0.1.0' at screen 0.985, screen 0.022 right font ',12' textcolor rgb '#707070'

# 3 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows1 << e
0.68 100 3.57142857143
1.68 100 4.54545454545
2.68 100 2.94117647059
3.68 100 7.14285714286
4.68 100 3.84615384615
5.68 100 3.84615384615
6.68 100 12.5
7.68 100 4.54545454545
8.68 100 10
9.68 100 25
10.68 100 10
11.68 75 21.6506350946
12.68 100 16.6666666667
e

# 6 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows2 << e
0.84 100 1.92307692308
1.84 100 1.85185185185
2.84 100 2
3.84 96 3.91918358845
4.84 100 2.38095238095
5.84 100 2
6.84 71.4285714286 17.0746944191
7.84 92.3076923077 5.22589400374
8.84 100 8.33333333333
9.84 100 6.25
10.84 87.5 11.6926793337
11.84 100 8.33333333333
12.84 83.3333333333 15.2145154863
e

# 12 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows3 << e
1 100 1.51515151515
2 100 1.47058823529
3 95.8333333333 4.07893754322
4 97.0588235294 2.89760107689
5 100 1.72413793103
6 93.3333333333 4.55420034043
7 60 15.4919333848
8 87.8787878788 5.68143555492
9 100 5.55555555556
10 100 7.14285714286
11 100 8.33333333333
12 88.8888888889 10.4756560176
13 100 5.55555555556
e

# 24 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows4 << e
1.16 97.5 2.46855220727
2.16 100 1.25
3.16 100 1.28205128205
4.16 100 1.25
5.16 95 3.44601218802
6.16 92.1052631579 4.3744076724
7.16 95.4545454545 4.44094736781
8.16 83.7837837838 6.05973853965
9.16 100 5
10.16 81.8181818182 11.629129983
11.16 100 4.16666666667
12.16 100 4.54545454545
13.16 70 14.4913767462
e

# 60 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows5 << e
1.32 100 1.19047619048
2.32 95.2380952381 3.28602647306
3.32 95.2380952381 3.28602647306
4.32 100 1.19047619048
5.32 97.619047619 2.35243695252
6.32 83.3333333333 5.75054632785
7.32 88.2352941176 7.81424899006
8.32 73.8095238095 6.78427203514
9.32 100 4.16666666667
10.32 91.6666666667 7.9785592313
11.32 91.6666666667 7.9785592313
12.32 100 4.16666666667
13.32 91.6666666667 7.9785592313
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 176.470588235
0.15 58.8235294118
0.25 147.058823529
0.35 58.8235294118
0.45 264.705882353
0.55 58.8235294118
0.65 29.4117647059
0.75 29.4117647059
0.85 58.8235294118
0.95 117.647058824
e
$lawful1 << e
0.05 111.790393013
0.15 101.310043668
0.25 91.7030567686
0.35 96.943231441
0.45 100.436681223
0.55 102.183406114
0.65 99.5633187773
0.75 94.3231441048
0.85 87.3362445415
0.95 114.410480349
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 200
0.15 85.7142857143
0.25 85.7142857143
0.35 85.7142857143
0.45 85.7142857143
0.55 114.285714286
0.65 142.857142857
0.75 85.7142857143
0.85 28.5714285714
0.95 85.7142857143
e
$lawful2 << e
0.05 116.830065359
0.15 78.431372549
0.25 87.4183006536
0.35 83.3333333333
0.45 118.464052288
0.55 120.098039216
0.65 109.477124183
0.75 93.137254902
0.85 84.9673202614
0.95 107.843137255
e
set multiplot
set lmargin at screen 0.135; set rmargin at screen 0.97; set bmargin at screen 0.52; set tmargin at screen 0.865
set key at screen 0.5525, screen 0.88 center bottom horizontal Left reverse samplen 1.8 font ',16' width (GPVAL_TERM eq 'svg' ? -1.03 : 0.4)
set label '95 % intervals that'."\n".'hold the depth / %' at screen 0.024, screen 0.6925 center rotate by 90
set xrange [0.5:13.5]; set yrange [40:100.5]
set xtics rotate by -25 left offset -1.5,0 font ',13' ('shared-frames' 1, 'shared-bytes' 2, 'shared-cells' 3, 'per-input-frames' 4, 'per-input-bytes' 5, 'bucket' 6, 'random-loss' 7, 'other-traffic' 8, 'heavy-tails' 9, 'overhead' 10, 'drift' 11, 'bad-row' 12, 'any' 13)
set object 1 rectangle from first 0.55, first 92 to first 1.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 2 rectangle from first 1.55, first 92 to first 2.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 3 rectangle from first 2.55, first 92 to first 3.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 4 rectangle from first 3.55, first 92 to first 4.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 5 rectangle from first 4.55, first 92 to first 5.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 6 rectangle from first 5.55, first 92 to first 6.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 7 rectangle from first 6.55, first 92 to first 7.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 8 rectangle from first 7.55, first 92 to first 8.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 9 rectangle from first 8.55, first 85 to first 9.45, first 100 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 10 rectangle from first 9.55, first 85 to first 10.45, first 100 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 11 rectangle from first 10.55, first 85 to first 11.45, first 100 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 12 rectangle from first 11.55, first 85 to first 12.45, first 100 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
set object 13 rectangle from first 12.55, first 92 to first 13.45, first 98 fillcolor rgb '#808080' fillstyle solid 0.18 noborder behind
plot 95 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $rows1 using 1:2:3 with yerrorbars pointtype 5 pointsize 0.8*mark linewidth 1.4 linecolor rgb '#D55E00' title '3 bursts', \
     $rows2 using 1:2:3 with yerrorbars pointtype 9 pointsize 0.8*mark linewidth 1.4 linecolor rgb '#E69F00' title '6 bursts', \
     $rows3 using 1:2:3 with yerrorbars pointtype 7 pointsize 0.8*mark linewidth 1.4 linecolor rgb '#009E73' title '12 bursts', \
     $rows4 using 1:2:3 with yerrorbars pointtype 11 pointsize 0.8*mark linewidth 1.4 linecolor rgb '#56B4E9' title '24 bursts', \
     $rows5 using 1:2:3 with yerrorbars pointtype 13 pointsize 0.8*mark linewidth 1.4 linecolor rgb '#0072B2' title '60 bursts'
unset object; unset key; unset label
set label 'campaigns /'."\n".'% of even ranks' at screen 0.024, screen 0.2525 center rotate by 90
set label 'all drawn from the prior' at screen 0.145, screen 0.38 font ',13' textcolor rgb '#0072B2'
set lmargin at screen 0.135; set rmargin at screen 0.5075; set bmargin at screen 0.145; set tmargin at screen 0.36
set xrange [0:1]; set yrange [0:264.705882353]; set xtics norotate center nooffset autofreq font ',15'; set xtics 0.2
set ytics 50
set label 'rank of the true depth' at screen 0.32125, screen 0.06 center
set object 1 rectangle from graph 0, first 0 to graph 1, first 200.841168064 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn1 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful1 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
set label 'sizes as in the cells' at screen 0.6075, screen 0.38 font ',13' textcolor rgb '#D55E00'
set lmargin at screen 0.5975; set rmargin at screen 0.97; set bmargin at screen 0.145; set tmargin at screen 0.36
set xrange [0:1]; set yrange [0:200]; set xtics norotate center nooffset autofreq font ',15'; set xtics 0.2
set ytics 50
set label 'rank of the true rate' at screen 0.78375, screen 0.06 center
set object 1 rectangle from graph 0, first 0.609859643926 to graph 1, first 199.390140356 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
unset multiplot
unset output
