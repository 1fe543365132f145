#!/bin/sh
# For tests to read in, after $top is set: what the installed headers declare.

installed_headers() { # installed_headers ; hitop/NAME.h of src/Makefile.am, one a line
    sed -n '/^nobase_include_HEADERS/,/^$/p' "$top/src/Makefile.am" | grep -o 'hitop/[a-z_/]*\.h' | sort
}

declarations() { # declarations FILE... ; those with HITOP_API, one a line
    awk '
        /^#/ { while (/\\$/ && (getline) > 0); next }
        { text = text " " $0 }
        END {
            while ((i = index(text, "/*")) > 0) { # comments
                rest = substr(text, i + 2)
                j = index(rest, "*/")
                if (j == 0) break
                text = substr(text, 1, i - 1) substr(rest, j + 2)
            }
            n = split(text, part, ";")
            for (i = 1; i <= n; i++) print part[i] ";"
        }' "$@" | grep HITOP_API
}

declared_names() { # declared_names FILE... ; the functions and objects of their declarations, one a line
    declarations "$@" | sed 's/.*HITOP_API//; s/[[(;=].*//; s/.*[^A-Za-z0-9_]//; /^HITOP_PRINTF$/d'
}
