#include <lmdb.h>
#ifdef __linux__
#include <sys/eventfd.h>
#include <sys/types.h>
#include <sys/vfs.h>
// glibc declares it for GNU sources only.
pid_t gettid(void);
#endif
