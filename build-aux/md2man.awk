# md2man.awk - a page of doc/ as a manual page of section 5, so that there is one text and not two.
# usage: awk -v name=hitop-rules -v what='one line' -v version=0.1.0 -v see='man(1), ...' -f md2man.awk FILE.md
#
# Knows what these pages use: headings, paragraphs, lists, indented examples, tables, `code`, links.

function code(text) { # what is typed: hyphens that can be copied, and none added
    gsub(/-/, "\\-", text)
    gsub(/ /, " \\%", text)
    return "\\fB\\%" text "\\fP"
}

function inline(text,    out, i, n, link, word) {
    gsub(/\\/, "\\e", text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) { # a link to a file beside this one: its words
        link = substr(text, RSTART, RLENGTH)
        i = index(link, "](")
        text = substr(text, 1, RSTART - 1) substr(link, 2, i - 2) substr(text, RSTART + RLENGTH)
    }
    n = split(text, word, "`")
    for (i = 1; i <= n; i++) {
        out = out (i % 2 == 1 ? word[i] : code(word[i]))
    }
    return out
}

function put(text) { # a line of text, which must not look like a request
    print text ~ /^[.']/ ? "\\&" text : text
}

function leave() { # what stands before
    if (in_code) { print ".fi\n.RE" }
    if (in_table) { print ".TE" }
    if (in_list) { print ".RE" }
    in_code = in_table = in_list = 0
}

function cells(line,    i) {
    gsub(/^\| *| *\|$/, "", line)
    return split(line, cell, / *\| */)
}

function row(n,    i) {
    for (i = 1; i <= columns; i++) {
        printf "T{\n.ad l\n"
        if (i <= n && cell[i] != "") { put(inline(cell[i])) }
        printf "T}%s", i < columns ? "\t" : "\n"
    }
}

BEGIN {
    print "'\\\" t"
    printf ".TH %s 5 \"\" \"hitop %s\" \"Hitop\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", toupper(name), version, name, what
    fresh = 1
}

/^# / { next }
/^## / { leave(); print ".SH " toupper(substr($0, 4)); fresh = 1; next }
/^    / && !in_list {
    if (!in_code) { if (in_table) { leave() }; print (fresh ? "" : ".PP\n") ".RS 4\n.nf"; in_code = 1 }
    for (i = held; i > 0; i--) { print "" }
    held = fresh = 0
    text = substr($0, 5)
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    put(text)
    next
}
/^\|/ {
    n = cells($0)
    if ($0 ~ /^\|[-|]*\|$/) { next }
    if (!in_table) {
        leave()
        columns = n
        print ".PP\n.TS"
        split(n == 2 ? "0 46" : n == 3 ? "14 34 12" : "8 14 20 19", width, " ")
        for (i = 1; i <= n; i++) {
            form = form (i > 1 ? " " : "") (width[i] > 0 ? "lw(" width[i] "n)" : "l")
        }
        print form "."
        form = ""
        in_table = 1
    }
    row(n)
    fresh = 0
    next
}
/^- / {
    if (!in_list) { leave(); print ".RS 2"; in_list = 1 }
    print ".IP \\(bu 2"
    put(inline(substr($0, 3)))
    next
}
/^$/ {
    if (in_code) { held++; next }
    if (in_table || in_list) { leave() }
    blank = 1
    next
}
{
    if (in_code) { leave(); held = 0; blank = 1 }
    sub(/^ +/, "")
    if (blank && !in_list && !fresh) { print ".PP" }
    blank = held = fresh = 0
    put(inline($0))
}
END {
    leave()
    n = split(see, cell, ", ")
    print ".SH SEE ALSO"
    for (i = 1; i <= n; i++) {
        paren = index(cell[i], "(")
        text = substr(cell[i], 1, paren - 1)
        gsub(/-/, "\\-", text)
        print ".BR " text " " substr(cell[i], paren) (i < n ? "," : "")
    }
}
