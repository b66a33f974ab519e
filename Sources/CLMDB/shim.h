#include <lmdb.h>
#ifdef __linux__
#include <sys/eventfd.h>
#include <sys/vfs.h>
#endif
