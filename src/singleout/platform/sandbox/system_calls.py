"""The system calls that uploaded code may make, by their numbers on each kind of processor.

What computes, reads what is mounted and uses threads. Nothing that makes sockets, processes, namespaces,
keys, shared memory, or that looks into another process.
"""

from __future__ import annotations

# name, number on x86_64, number on aarch64
TABLE = """
access 21 -; arch_prctl 158 -; brk 12 214; chdir 80 49; chmod 90 -; clock_getres 229 114; clock_gettime
228 113; clock_nanosleep 230 115; close 3 57; close_range 436 436; copy_file_range 326 285; creat 85 -;
dup 32 23; dup2 33 -; dup3 292 24; epoll_create 213 -; epoll_create1 291 20; epoll_ctl 233 21; epoll_pwait
281 22; epoll_wait 232 -; eventfd 284 -; eventfd2 290 19; execve 59 221; exit 60 93; exit_group 231 94;
faccessat 269 48; faccessat2 439 439; fadvise64 221 223; fallocate 285 47; fchdir 81 50; fchmod 91 52;
fchmodat 268 53; fdatasync 75 83; fgetxattr 193 10; fstat 5 80; fstatfs 138 44;
fsync 74 82; ftruncate 77 46; futex 202 98; get_robust_list 274 100; getcpu 309 168; getcwd 79 17;
getdents 78 -; getdents64 217 61; getegid 108 177; geteuid 107 175; getgid 104 176; getgroups 115 158;
getitimer 36 102; getpgid 121 155; getpgrp 111 -; getpid 39 172; getppid 110 173; getpriority 140 141;
getrandom 318 278; getresgid 120 150; getresuid 118 148; getrlimit 97 163; getrusage 98 165; getsid 124
156; gettid 186 178; gettimeofday 96 169; getuid 102 174; getxattr 191 8; landlock_add_rule 445 445;
landlock_create_ruleset 444 444; landlock_restrict_self 446 446; lgetxattr 192 9; link 86 -; linkat 265
37; lseek 8 62; lstat 6 -; madvise 28 233; membarrier 324 283; mkdir 83 -; mkdirat 258 34;
mmap 9 222; mprotect 10 226; mremap 25 216; msync 26 227; munmap 11 215; nanosleep 35 101; newfstatat 262
79; open 2 -; openat 257 56; pipe 22 -; pipe2 293 59; poll 7 -; ppoll 271 73; pread64 17 67; preadv 295
69; pselect6 270 72; pwrite64 18 68; pwritev 296 70; read 0 63; readlink 89 -; readlinkat 267 78; readv 19
65; rename 82 -; renameat 264 38; renameat2 316 276; restart_syscall 219 128; rmdir 84 -; rseq 334 293;
rt_sigaction 13 134; rt_sigpending 127 136; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigsuspend 130
133; rt_sigtimedwait 128 137; sched_get_priority_max 146 125; sched_get_priority_min 147 126;
sched_getaffinity 204 123; sched_getparam 143 121; sched_getscheduler 145 120; sched_yield 24 124; select
23 -; sendfile 40 71; set_robust_list 273 99; set_tid_address 218 96; setitimer 38 103; sigaltstack 131
132; stat 4 -; statfs 137 43; statx 332 291; symlink 88 -; symlinkat 266 36; sysinfo 99 179; time 201 -;
times 100 153; truncate 76 45; umask 95 166; uname 63 160; unlink 87 -; unlinkat 263 35; utime 132 -;
utimensat 280 88; utimes 235 -; wait4 61 260; waitid 247 95; write 1 64; writev 20 66
"""
# allowed with some arguments only: see `seccomp_filter`
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = {"x86_64": 435, "aarch64": 435}
FCNTL = {"x86_64": 72, "aarch64": 25}
FLOCK = {"x86_64": 73, "aarch64": 32}
IOCTL = {"x86_64": 16, "aarch64": 29}
PRCTL = {"x86_64": 157, "aarch64": 167}
PRLIMIT64 = {"x86_64": 302, "aarch64": 261}


def allowed_numbers(machine: str) -> list[int]:
    """
    >>> min(allowed_numbers("x86_64")), 41 in allowed_numbers("x86_64")  # 41 is socket
    (0, False)
    """
    column = {"x86_64": 1, "aarch64": 2}[machine]
    words = [each.split() for each in TABLE.replace("\n", " ").split(";")]
    return sorted(int(each[column]) for each in words if each[column] != "-")
