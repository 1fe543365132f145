#!/bin/sh
# For tests to read in: $bin, the folder of the tools as programs of the build tree. The scripts of libtool around them
# take longer than most of them.
bin=../tools
if [ -x ../tools/.libs/model_info ]; then
    bin=../tools/.libs
    export LD_LIBRARY_PATH="$PWD/../coll/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
