/**
 * Packages of distributions that a running service does not need: those that build things, and those that are there for people.
 * By the name without a trailing version (`gcc-12` is `gcc`). Raise `version` with every change of the entries.
 */

export type OsPackageRoles = {
  readonly version: string;
  readonly buildOnly: { readonly names: readonly string[]; readonly suffixes: readonly string[] };
  readonly convenience: { readonly names: readonly string[]; readonly suffixes: readonly string[] };
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const osPackageRolesCatalog: OsPackageRoles = {
  version: '1.0.0',
  buildOnly: {
    names: words(`
      abuild autoconf automake binutils binutils-aarch64-linux-gnu binutils-common binutils-x86-64-linux-gnu bison build-base
      build-essential bzr ccache clang cmake cpp debhelper dpkg-dev fakeroot flex g++ gcc gfortran git git-man go golang
      golang-go golang-src libtool llvm m4 make mercurial meson nasm ninja ninja-build node-gyp patch pkg-config pkgconf rust rustc
      cargo scons subversion swig yasm
    `),
    suffixes: words('-dev -devel -headers'),
  },
  convenience: {
    names: words(`
      apk-tools-doc bash-completion bind-tools bind9-dnsutils busybox-extras curl dnsutils emacs ftp fzf gdb htop httpie
      inetutils-telnet iputils-ping iproute2 jq less lsof ltrace man-db manpages mc nano net-tools netcat netcat-openbsd
      netcat-traditional nmap openssh-client openssh-clients procps psmisc rsync screen socat strace sudo tcpdump telnet tmux
      traceroute tree unzip vim vim-common vim-runtime vim-tiny wget xxd zip zsh
    `),
    suffixes: words('-doc -docs -dbg -dbgsym -man'),
  },
};
