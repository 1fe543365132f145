# header2man.awk - public headers as a manual page of section 3: what they declare, and what their comments say of it.
# usage: awk -v name=hitop_model -v what='one line' -v version=0.1.0 -v library=hitop -v see='hitop(3), ...' \
#            -f header2man.awk HEADER.h...
#
# Knows what these headers use: one declaration after its comment, @file, @brief, @param, @retval, @return, @code, @p.

function escape(text) {
    gsub(/\\/, "\\e", text)
    return text
}

function trim(text) {
    gsub(/[ \t\n]+/, " ", text)
    gsub(/^ | $/, "", text)
    return text
}

function put(text) { # a line of text, which must not look like a request
    return (text ~ /^[.']/ ? "\\&" : "") text "\n"
}

function words(text) { # @p name, and names of functions that stay in one piece
    text = escape(text)
    while (match(text, /@p [A-Za-z_]+/)) {
        text = substr(text, 1, RSTART - 1) "\\fI" substr(text, RSTART + 3, RLENGTH - 3) "\\fP" substr(text, RSTART + RLENGTH)
    }
    gsub(/--/, "\\-\\-", text)
    return text
}

# A comment as running text. Parameters are a list, which ends with the comment.
function prose(comment,    n, i, line, text, code, gap, out) {
    sub(/^\/\*\**<?/, "", comment)
    sub(/\**\/$/, "", comment)
    n = split(comment, line, "\n")
    for (i = 1; i <= n; i++) {
        text = line[i]
        sub(/^ *\* ?/, "", text)
        if (text ~ /@endcode/) {
            out = out ".fi\n.RE\n"
            code = 0
        } else if (code) {
            gsub(/-/, "\\-", text)
            out = out put(escape(text))
        } else if (text ~ /@code/) {
            out = out ".PP\n.RS 4\n.nf\n"
            code = 1
        } else if (trim(text) == "" || text ~ /@file/) {
            gap = out != ""
        } else {
            text = trim(text)
            sub(/^@brief /, "", text)
            if (text ~ /^@(param|retval) /) {
                out = out ".TP\n" (text ~ /^@param/ ? ".I " : ".B ")
                sub(/^@[a-z]+ /, "", text)
                match(text, /^[^ ]+/)
                out = out substr(text, 1, RLENGTH) "\n"
                text = trim(substr(text, RLENGTH + 1))
                gap = 0
            } else if (text ~ /^@return /) {
                out = out ".PP\nReturns\n"
                sub(/^@return /, "", text)
                gap = 0
            } else if (text ~ /^- /) {
                out = out ".IP \\(bu 2\n"
                text = substr(text, 3)
                gap = 0
            }
            # what stands behind something else in its line begins one of its own
            while (match(text, /[^ ] @retval /)) {
                out = out (gap ? ".PP\n" : "") put(words(substr(text, 1, RSTART))) ".TP\n.B "
                text = substr(text, RSTART + 10)
                match(text, /^[^ ]+/)
                out = out substr(text, 1, RLENGTH) "\n"
                text = trim(substr(text, RLENGTH + 1))
                gap = 0
            }
            if (text != "") {
                out = out (gap ? ".PP\n" : "") put(words(text))
            }
            gap = 0
        }
    }
    return out
}

# A declaration in lines of at most 72 columns, broken between its arguments.
function wrapped(text,    out, line, part, n, i) {
    gsub(/\* /, "*", text)
    n = split(text, part, ", ")
    line = part[1]
    if (length(line) > 72) {
        i = index(line, "(")
        out = "\\fB" escape(substr(line, 1, i)) "\\fP\n"
        line = "    " substr(line, i + 1)
    }
    for (i = 2; i <= n; i++) {
        if (length(line) + length(part[i]) + 3 > 72) {
            out = out "\\fB" escape(line) ",\\fP\n"
            line = "    " part[i]
        } else {
            line = line ", " part[i]
        }
    }
    return out "\\fB" escape(line) "\\fP\n"
}

# A comment that stands for itself: its first sentence, where short, is a heading.
function section(comment,    text, n) {
    text = prose(comment)
    n = index(text, ".")
    if (n > 0 && n < 50 && substr(text, 1, n) !~ /\n/ && substr(text, n + 1, 1) ~ /[ \n]/) {
        return ".SS " substr(text, 1, n - 1) "\n" substr(text, n + 2)
    }
    return ".SS Further\n" text
}

function member(text, comment) {
    text = trim(text)
    gsub(/\* /, "*", text)
    return text == "" ? "" : ".TP\n\\fB\\%" escape(text) "\\fP\n" prose(comment)
}

# The members of a struct or an enum, each with its comment.
function members(body,    out, i, code, comment, before, last, doc, c, k, is_enum) {
    is_enum = body ~ /^enum/
    sub(/^[^{]*\{/, "", body)
    sub(/\}[^}]*$/, "", body)
    while (body != "") {
        i = index(body, "/*")
        code = i ? substr(body, 1, i - 1) : body
        comment = ""
        body = i ? substr(body, i) : ""
        if (i) {
            k = index(body, "*/")
            comment = substr(body, 1, k + 1)
            body = substr(body, k + 2)
        }
        for (k = 1; k <= length(code); k++) {
            c = substr(code, k, 1)
            if (c == (is_enum ? "," : ";")) {
                out = out member(last, doc)
                last = trim(cur)
                doc = before
                cur = before = ""
            } else {
                cur = cur c
            }
        }
        if (comment ~ /^\/\*\*</ && trim(cur) == "") {
            doc = comment
        } else if (comment ~ /^\/\*\*</) { # of the last one, behind which nothing stands
            out = out member(last, doc)
            last = trim(cur)
            doc = comment
            cur = before = ""
        } else if (comment ~ /^\/\*\*/) {
            before = comment
        }
    }
    out = out member(last, doc) member(cur, before)
    cur = ""
    return out
}

# What follows a comment, whole.
function declare(text, comment,    plain, title) {
    plain = text
    sub(/^(static inline |typedef )/, "", plain)
    if (text ~ /^(struct|enum)[^(]*;$/ && text !~ /\{/) { # announced only
        if (comment != "") {
            types = types ".SS " trim(substr(text, 1, length(text) - 1)) "\n" prose(comment)
        }
        return
    }
    if (text ~ /^(struct|enum)[^(]*\{/) {
        title = trim(substr(text, 1, index(text, "{") - 1))
        types = types ".SS " (title == "enum" ? "constants" : title) "\n" prose(comment) members(text)
        return
    }
    if (text ~ /^#/) {
        if (comment != "") {
            sub(/^#define +/, "", text)
            types = types ".SS " words(trim(text)) "\n" prose(comment)
        }
        return
    }
    if (text ~ /\{/) { # inline
        text = substr(text, 1, index(text, "{") - 1)
    }
    sub(/^static inline /, "", text)
    gsub(/HITOP_(API|CONST|MUST_CHECK|PRINTF\([0-9, ]*\)) */, "", text)
    text = trim(text)
    sub(/ *;$/, "", text)
    gsub(/\( /, "(", text)
    if (!match(text, /hitop_[a-z0-9_]+\(/)) {
        return
    }
    synopsis = synopsis wrapped(text ";")
    if (comment != "") {
        functions = functions ".SS " substr(text, RSTART, RLENGTH) ")\n" prose(comment)
    }
}

function depth_of(line,    copy) {
    copy = line
    return gsub(/\{/, "", copy) - gsub(/\}/, "", line)
}

FNR == 1 {
    header = FILENAME
    sub(/^.*\/hitop\//, "hitop/", header)
    includes = includes "\\fB#include <" header ">\\fP\n"
    in_comment = depth = 0
    held = doc = ""
    open = 1 # to what a file says of itself
}

in_comment {
    held = held "\n" $0
    if (/\*\//) {
        in_comment = 0
        if (held ~ /@file/) {
            about = about ".SS " header "\n" prose(held)
        } else if (held ~ /^\/\*\*/) {
            doc = held
        } else { # of all that follows
            functions = functions section(held)
        }
    }
    next
}
text == "" && /^\/\*/ {
    if ($0 ~ /SPDX|clang-format/) { next }
    if (/\*\/ *$/) {
        if (/^\/\*\*/) { doc = $0 } else { functions = functions section($0) }
    } else {
        held = $0
        in_comment = 1
    }
    next
}
text == "" && /^#/ {
    while (/\\$/) { # the definition goes on in the next line
        line = substr($0, 1, length($0) - 1)
        if ((getline) <= 0) { break }
        sub(/^ +/, "")
        $0 = line $0
    }
    if (/^#define/ && doc != "") { declare($0, doc) }
    if (!/^#(if|else|endif)/) { doc = "" }
    next
}
text == "" && (/^ *$/ || /^HITOP_(BEGIN|END)_DECLS/) { next }
{
    text = text (text == "" ? "" : "\n") $0
    code = $0
    gsub(/\/\*.*\*\//, "", code)
    depth += depth_of(code)
    if (depth == 0 && (code ~ /; *$/ || (code ~ /^\}/ && text ~ /^static/))) {
        declare(text, doc)
        text = doc = ""
    }
}

END {
    printf ".TH %s 3 \"\" \"hitop %s\" \"Hitop\"\n.SH NAME\n%s \\- %s\n", toupper(name), version, name, what
    printf ".SH LIBRARY\n.B %s\n(\\-l%s; flags by\n.BR \"pkg\\-config \\-\\-cflags \\-\\-libs %s\" )\n", "lib" library, library, library
    printf ".SH SYNOPSIS\n.nf\n%s\n%s.fi\n", includes, synopsis
    printf ".SH DESCRIPTION\n.nh\n%s", about
    if (types != "") { printf ".SH TYPES\n%s", types }
    printf ".SH FUNCTIONS\n%s", functions
    print ".SH SEE ALSO"
    n = split(see, page, ", ")
    for (i = 1; i <= n; i++) {
        k = index(page[i], "(")
        text = substr(page[i], 1, k - 1)
        gsub(/-/, "\\-", text)
        print ".BR " text " " substr(page[i], k) (i < n ? "," : "")
    }
}
