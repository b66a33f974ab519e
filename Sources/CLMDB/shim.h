#include <lmdb.h>
#ifdef __linux__
#include <linux/stat.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sys/vfs.h>
// glibc declares these for GNU sources only.
pid_t gettid(void);
int statx(int directory, const char *path, int flags, unsigned mask, struct statx *result);
#endif
