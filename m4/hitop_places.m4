# HITOP_WAY(VARIABLE, FROM, TO)
# -----------------------------
# Set VARIABLE to the way from folder FROM to folder TO, both absolute: from /usr/bin to /usr/lib it is
# ../lib.
AC_DEFUN([HITOP_WAY], [
hitop_common=$2
$1=
while :; do
    case $3/ in
    "$hitop_common"/*) break ;;
    esac
    hitop_common=${hitop_common%/*}
    $1=../$$1
done
hitop_rest=$3/
$1=$$1${hitop_rest#"$hitop_common"/}
$1=${$1%/}
])

# HITOP_PLACES
# ------------
# Let programs, libraries and files for pkg-config find each other in a folder of installation that is
# moved later: by $ORIGIN in what is linked, ${pcfiledir} in files for pkg-config, and ways from one
# folder to another in scripts. Where all programs look for libraries anyway, paths of their own are
# not wanted. Call after LT_INIT.
AC_DEFUN([HITOP_PLACES], [
hitop_prefix=$prefix hitop_exec_prefix=$exec_prefix
AS_IF([test "x$prefix" = xNONE], [prefix=$ac_default_prefix])
AS_IF([test "x$exec_prefix" = xNONE], [exec_prefix=$prefix])
for hitop_place in bindir libdir datadir includedir mandir; do
    eval "hitop_path=\$$hitop_place"
    while :; do
        eval "hitop_next=$hitop_path"
        test "x$hitop_next" != "x$hitop_path" || break
        hitop_path=$hitop_next
    done
    eval "hitop_$hitop_place=\$hitop_path"
done
hitop_root=$prefix
prefix=$hitop_prefix exec_prefix=$hitop_exec_prefix

HITOP_WAY([BIN_TO_LIB], [$hitop_bindir], [$hitop_libdir])
HITOP_WAY([hitop_pc_to_root], [$hitop_libdir/pkgconfig], [$hitop_root])
HITOP_WAY([MODULE_TO_BIN], [$hitop_datadir/modulefiles/hitop], [$hitop_bindir])
HITOP_WAY([MODULE_TO_LIB], [$hitop_datadir/modulefiles/hitop], [$hitop_libdir])
HITOP_WAY([MODULE_TO_INCLUDE], [$hitop_datadir/modulefiles/hitop], [$hitop_includedir])
HITOP_WAY([MODULE_TO_MAN], [$hitop_datadir/modulefiles/hitop], [$hitop_mandir])

TOOL_RPATH= LIB_RPATH= PC_PREFIX=$hitop_root PC_LIBDIR=$libdir
AS_CASE([$hitop_smpi:$hitop_libdir/],
    [yes:*|*:/lib/*|*:/usr/lib/*|*:/lib64/*|*:/usr/lib64/*], [],
    [*:"$hitop_root"/*], [
        LIB_RPATH="-Wl,-rpath,'\$\$ORIGIN'"
        TOOL_RPATH="-Wl,-rpath,'\$\$ORIGIN/$BIN_TO_LIB'"
        PC_PREFIX="\${pcfiledir}/$hitop_pc_to_root" PC_LIBDIR="\${pcfiledir}/.."
    ])
AC_SUBST([BIN_TO_LIB])
AC_SUBST([MODULE_TO_BIN])
AC_SUBST([MODULE_TO_LIB])
AC_SUBST([MODULE_TO_INCLUDE])
AC_SUBST([MODULE_TO_MAN])
AC_SUBST([LIB_RPATH])
AC_SUBST([TOOL_RPATH])
AC_SUBST([PC_PREFIX])
AC_SUBST([PC_LIBDIR])
])
