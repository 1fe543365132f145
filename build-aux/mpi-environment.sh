# Read by scripts that start MPI programs on one machine: ranks may share processors, and root may be the only user of a
# container. Open MPI 4 reads OMPI_MCA_ variables; from version 5 on its launcher is PRRTE, which reads PRTE_MCA_ ones.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# Open MPI 5.0.7 complains about link-local addresses of IPv6 that have no route between them.
export OMPI_MCA_btl_tcp_disable_family=6
# Where the name of this host is not in /etc/hosts, launchers ask a name server that need not be there.
export RES_OPTIONS='timeout:1 attempts:1'
