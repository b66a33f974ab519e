#if !SANITIZED_LOCKS
  import Synchronization

  /// A value that one thread at a time may use. Every lock of the package that guards a value is one.
  ///
  /// It is the standard library's `Mutex`, in every build but one: the thread sanitizer does not see what `Mutex` does when
  /// two threads want it at once, since that code is in the toolchain's own library. In a build for the sanitizer this name
  /// means `InterceptedLock`.
  package typealias Lock = Mutex
#else
  /// A value that one thread at a time may use, by a lock that the thread sanitizer sees.
  package typealias Lock = InterceptedLock
#endif
