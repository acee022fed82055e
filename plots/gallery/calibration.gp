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
0.68 100 2.94117647059
1.68 100 3.33333333333
2.68 95 4.8733971724
3.68 100 2.63157894737
4.68 100 2.77777777778
5.68 93.75 6.05153647845
6.68 66.6666666667 9.62250448649
7.68 80 10.3279555899
8.68 100 10
9.68 100 16.6666666667
10.68 100 8.33333333333
11.68 60 21.9089023002
12.68 100 16.6666666667
e

# 6 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows2 << e
0.84 100 1.66666666667
1.84 96.5517241379 3.388301272
2.84 90.9090909091 5.00438075057
3.84 91.4285714286 4.7318781212
4.84 100 1.72413793103
5.84 93.75 4.27908248051
6.84 66.6666666667 8.60662965824
7.84 82.3529411765 6.53786976737
8.84 100 5.55555555556
9.84 100 6.25
10.84 66.6666666667 15.7134840264
11.84 100 4.54545454545
12.84 75 15.3093108924
e

# 12 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows3 << e
1 92.1052631579 4.3744076724
2 97.2972972973 2.66592952387
3 97.0588235294 2.89760107689
4 94.8717948718 3.5319858037
5 97.2222222222 2.73892582551
6 88.5714285714 5.37785113208
7 76.4705882353 7.2746699106
8 86.8421052632 5.48361022017
9 100 4.16666666667
10 100 4.16666666667
11 100 6.25
12 83.3333333333 10.7582870728
13 100 5
e

# 24 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows4 << e
1.16 97.619047619 2.35243695252
2.16 95.2380952381 3.28602647306
3.16 87.5 5.22912516584
4.16 97.619047619 2.35243695252
5.16 88.0952380952 4.99702967597
6.16 87.8048780488 5.1104655788
7.16 93.1034482759 4.70543613256
8.16 74.358974359 6.9920107672
9.16 100 4.54545454545
10.16 75 12.5
11.16 100 4.16666666667
12.16 100 4.16666666667
13.16 75 12.5
e

# 60 bursts: subject, 95 % intervals of the depth that hold it / %, error
$rows5 << e
1.32 97.619047619 2.35243695252
2.32 97.619047619 2.35243695252
3.32 90.4761904762 4.52947491053
4.32 100 1.19047619048
5.32 95.2380952381 3.28602647306
6.32 80.9523809524 6.05913343124
7.32 90.3225806452 5.3100315597
8.32 59.5238095238 7.57391678905
9.32 100 4.16666666667
10.32 91.6666666667 7.9785592313
11.32 100 4.16666666667
12.32 100 4.16666666667
13.32 91.6666666667 7.9785592313
e

# rank of the true depth, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn1 << e
0.05 216.216216216
0.15 0
0.25 189.189189189
0.35 27.027027027
0.45 108.108108108
0.55 81.0810810811
0.65 54.0540540541
0.75 189.189189189
0.85 0
0.95 135.135135135
e
$lawful1 << e
0.05 196.473551637
0.15 97.3971452561
0.25 80.604534005
0.35 82.2837951301
0.45 82.2837951301
0.55 87.3215785055
0.65 96.5575146935
0.75 93.1989924433
0.85 82.2837951301
0.95 101.595298069
e

# rank of the true rate, campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells
$drawn2 << e
0.05 157.894736842
0.15 131.578947368
0.25 157.894736842
0.35 105.263157895
0.45 105.263157895
0.55 157.894736842
0.65 26.3157894737
0.75 105.263157895
0.85 26.3157894737
0.95 26.3157894737
e
$lawful2 << e
0.05 146.825396825
0.15 93.6507936508
0.25 96.0317460317
0.35 100.793650794
0.45 113.492063492
0.55 107.936507937
0.65 92.8571428571
0.75 87.3015873016
0.85 72.2222222222
0.95 88.8888888889
e
set multiplot
set lmargin at screen 0.135; set rmargin at screen 0.97; set bmargin at screen 0.52; set tmargin at screen 0.865
set key at screen 0.5525, screen 0.88 center bottom horizontal Left reverse samplen 1.8 font ',16' width (GPVAL_TERM eq 'svg' ? -1.03 : 0.4)
set label '95 % intervals that'."\n".'hold the depth / %' at screen 0.024, screen 0.6925 center rotate by 90
set xrange [0.5:13.5]; set yrange [30:100.5]
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
set xrange [0:1]; set yrange [0:216.216216216]; set xtics norotate center nooffset autofreq font ',15'; set xtics 0.2
set ytics 50
set label 'rank of the true depth' at screen 0.32125, screen 0.06 center
set object 1 rectangle from graph 0, first 3.33339546445 to graph 1, first 196.666604536 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn1 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful1 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
set label 'sizes as in the cells' at screen 0.6075, screen 0.38 font ',13' textcolor rgb '#D55E00'
set lmargin at screen 0.5975; set rmargin at screen 0.97; set bmargin at screen 0.145; set tmargin at screen 0.36
set xrange [0:1]; set yrange [0:200]; set xtics norotate center nooffset autofreq font ',15'; set xtics 0.2
set ytics 50
set label 'rank of the true rate' at screen 0.78375, screen 0.06 center
set object 1 rectangle from graph 0, first 4.61380437511 to graph 1, first 195.386195625 fillcolor rgb '#808080' fillstyle solid 0.25 noborder behind
plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '#000000' notitle, \
     $drawn2 using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     $lawful2 using 1:2 with histeps linewidth 2 linecolor rgb '#D55E00' notitle
unset object; unset label
unset multiplot
unset output
