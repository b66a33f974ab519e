import Foundation

// Everything that only Linux has, in one file.

#if os(Linux)
  import CLMDB
  import Glibc

  /// The name of the network file system that holds an open file, or nil for a local one.
  func networkFileSystem(of descriptor: Int32) -> String? {
    var status = statfs()
    guard fstatfs(descriptor, &status) == 0 else { return nil }
    return networkFileSystemNames[UInt32(truncatingIfNeeded: status.f_type)]
  }

  /// Returns true if a file is on a disk, and each flush's failure is reported to every opening of it.
  func isFlushed(_ descriptor: Int32) -> Bool {
    var status = statfs()
    guard fstatfs(descriptor, &status) == 0 else { return false }
    let magic = UInt32(truncatingIfNeeded: status.f_type)
    return magic != tmpfsMagic && magic != ramfsMagic
  }

  /// Opens a file once more to flush it by; nil where it cannot be opened.
  func openForFlushing(_ descriptor: Int32) -> Int32? {
    let opened = open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    return opened >= 0 ? opened : nil
  }

  /// Waits until what was written to a file is on the disk. Zero, or what went wrong.
  func flushData(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) == 0 ? 0 : errno }

  func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Sets or releases a shared lock on a byte of a file. It belongs to this opening of the file: no closing of another one releases it.
  func setSharedLock(_ descriptor: Int32, at place: Int64, _ isSet: Bool) {
    var region = byteLock(isSet ? F_RDLCK : F_UNLCK, place)
    _ = fcntl(descriptor, openFileSetLock, &region)
  }

  /// Returns true if another opening of the file has a lock on a byte.
  func hasForeignLock(_ descriptor: Int32, at place: Int64) -> Bool {
    var region = byteLock(F_WRLCK, place)
    return fcntl(descriptor, openFileGetLock, &region) == 0 && region.l_type != Int16(F_UNLCK)
  }

  /// F_OFD_GETLK and F_OFD_SETLK of <fcntl.h>, which Swift does not see.
  private let (openFileGetLock, openFileSetLock): (Int32, Int32) = (36, 37)

  private func byteLock(_ type: Int32, _ place: Int64) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: 1, l_pid: 0)
  }

  private let tmpfsMagic: UInt32 = 0x0102_1994
  private let ramfsMagic: UInt32 = 0x8584_58F6

  /// The kernel's number of the calling thread, which no other living thread of the system has.
  ///
  /// Each thread asks the system once, and once more in a child that was forked off its process.
  func currentThreadNumber() -> Int32 {
    guard let key = threadNumberKey else { return gettid() }
    let forks = UInt(ForkCount.current) << 32
    let known = UInt(bitPattern: pthread_getspecific(key))
    if known != 0, known & ~0xFFFF_FFFF == forks { return Int32(truncatingIfNeeded: known) }
    let number = gettid()
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: forks | UInt(UInt32(bitPattern: number))))
    return number
  }

  /// The key under which a thread keeps its number, with the count of forks in the upper half.
  private let threadNumberKey: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Nanoseconds of a clock that never goes back, in steps of some milliseconds: a quarter of what the exact time costs.
  func coarseNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// Returns true if a thread of this process with that number has not ended.
  func isThreadAlive(_ number: Int32) -> Bool { access("/proc/self/task/\(number)", F_OK) == 0 }

  /// Bytes that a file of this process may have; nil when there is no limit.
  func fileSizeLimit() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_cur == rlim_t.max ? nil : UInt64(limit.rlim_cur)
  }

  let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// Has the C library take each block of so many bytes or more from the system, and give it back when it is freed, instead of keeping it for
  /// later ones. For good, and for the whole process; not where its environment chooses a size.
  func takeBlocksFromSystem(from bytes: Int) {
    let isChosen =
      getenv("MALLOC_MMAP_THRESHOLD_") != nil
      || getenv("GLIBC_TUNABLES").map { String(cString: $0).contains("glibc.malloc.mmap_threshold") } ?? false
    // M_MMAP_THRESHOLD of <malloc.h>.
    if !isChosen { _ = mallopt(-3, Int32(clamping: bytes)) }
  }

  /// Gives free memory of the C library back to the system.
  func giveBackFreeMemory() { _ = malloc_trim(0) }

  /// File systems whose record locks and shared mappings do not reach every opener, by their statfs(2) magic.
  let networkFileSystemNames: [UInt32: String] = [
    0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x6573_5546: "FUSE",
    0x0102_1997: "9p", 0x00C3_6400: "Ceph", 0x0BD0_0BD0: "Lustre", 0x5346_414F: "AFS", 0x7375_7245: "Coda",
    0x564C: "NCP",
  ]

  /// One inotify instance and one thread for all watched files of the process: instances are few (128 per user).
  ///
  /// It starts with the first watch and ends with the last one.
  final class FileChangeHub: @unchecked Sendable {
    // Unchecked: everything mutable is guarded by `lock`.
    static let shared = FileChangeHub()

    private final class Session {
      let inotify: Int32
      let wakeup: Int32
      /// By watch descriptor; one file watched twice has one descriptor.
      var files: [Int32: WatchedFile] = [:]

      init?() {
        // The flags of both calls are those of open(2).
        inotify = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        wakeup = eventfd(0, O_CLOEXEC | O_NONBLOCK)
        if inotify < 0 || wakeup < 0 { return nil }
      }

      /// Has the thread look around.
      func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
      }

      deinit {
        if inotify >= 0 { close(inotify) }
        if wakeup >= 0 { close(wakeup) }
      }
    }

    /// An observer of the changes of one file.
    struct Observer {
      let isWritingItself: @Sendable () -> Bool
      let foreignUse: @Sendable () -> ForeignUse
      let onChange: @Sendable () -> Void
    }

    private struct WatchedFile {
      let path: String
      var mode: WatchMode
      var observers: [UInt64: Observer] = [:]
    }

    /// Microseconds that events may gather while this process writes. Without a pause each of the several writes of a
    /// commit would wake the thread, in the middle of the commit. It doubles while the process keeps on writing, up to
    /// what a commit of another process right after may be late.
    private static let pause: ClosedRange<UInt32> = 500...4_000

    /// A ticket that ends a watch.
    struct Ticket {
      let watch: Int32
      let serial: UInt64
    }

    private let lock = NSLock()
    private var session: Session?
    private var nextSerial: UInt64 = 0

    /// Calls the observer on the hub's thread after the file was written, by this process too where others have it open; nil when the
    /// system has no watch left.
    func watch(_ path: String, _ observer: Observer) -> Ticket? {
      lock.lock()
      defer { lock.unlock() }
      guard let session = session ?? Session() else { return nil }
      let mode = WatchMode(now: coarseNanoseconds())
      let watch = inotify_add_watch(session.inotify, path, Self.events(mode))
      if watch < 0 { return nil }
      nextSerial += 1
      session.files[watch, default: WatchedFile(path: path, mode: mode)].observers[nextSerial] = observer
      session.files[watch]?.mode = mode
      if self.session == nil {
        self.session = session
        start(session)
      } else {
        // The thread may be waiting until some later look.
        session.wake()
      }
      return Ticket(watch: watch, serial: nextSerial)
    }

    private static func events(_ mode: WatchMode) -> UInt32 { UInt32(mode.hearsWrites ? IN_MODIFY | IN_OPEN : IN_OPEN) }

    func unwatch(_ ticket: Ticket) {
      lock.lock()
      defer { lock.unlock() }
      guard let session else { return }
      session.files[ticket.watch]?.observers[ticket.serial] = nil
      if session.files[ticket.watch]?.observers.isEmpty ?? false {
        session.files[ticket.watch] = nil
        inotify_rm_watch(session.inotify, ticket.watch)
      }
      if session.files.isEmpty {
        self.session = nil
        session.wake()
      }
    }

    private func start(_ session: Session) {
      // The thread owns the session from here: its descriptors are closed when it ends.
      let box = UncheckedSession(session)
      let thread = Thread { [self] in run(box.session) }
      thread.name = "larder-watch"
      thread.stackSize = 1 << 20
      thread.start()
    }

    private struct UncheckedSession: @unchecked Sendable {
      // Unchecked: handed to exactly one thread; its observers are read under the hub's lock.
      let session: Session
      init(_ session: Session) { self.session = session }
    }

    private func run(_ session: Session) {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      var pause = Self.pause.lowerBound
      while let due = due(session) {
        var waits = [
          pollfd(fd: session.inotify, events: Int16(POLLIN), revents: 0),
          pollfd(fd: session.wakeup, events: Int16(POLLIN), revents: 0),
        ]
        // At least as late as a look is due.
        let now = coarseNanoseconds()
        let wait = due > now ? (due - now) / 1_000_000 + 1 : 0
        if poll(&waits, 2, Int32(clamping: wait)) < 0 { continue }
        if waits[1].revents != 0 {
          var count: UInt64 = 0
          _ = read(session.wakeup, &count, 8)
        }
        if waits[0].revents != 0 {
          if observers(session, nil).contains(where: { $0.isWritingItself() }) {
            usleep(pause)
            pause = min(2 * pause, Self.pause.upperBound)
          } else {
            pause = Self.pause.lowerBound
          }
        }
        var seen: [Int32: UInt32] = [:]
        while true {
          let count = read(session.inotify, &buffer, buffer.count)
          if count <= 0 { break }
          collect(buffer, count, into: &seen)
        }
        noteOpenings(session, seen)
        for observer in observers(session, Set(seen.keys)) { observer.onChange() }
        lookAround(session)
      }
    }

    /// Adds up the events of each watch.
    private func collect(_ buffer: [UInt8], _ count: Int, into seen: inout [Int32: UInt32]) {
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // -1 is the overflow of the queue: something has changed, not who.
          seen[event.wd, default: 0] |= event.mask
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }

    /// Hears of all writes to the files that were opened.
    private func noteOpenings(_ session: Session, _ seen: [Int32: UInt32]) {
      lock.lock()
      defer { lock.unlock() }
      let opened =
        seen[-1] != nil ? Array(session.files.keys) : seen.filter { $0.value & UInt32(IN_OPEN) != 0 }.map(\.key)
      for watch in opened { change(session, watch) { $0.opened(now: coarseNanoseconds()) } }
    }

    /// Looks whether others use the files whose turn it is.
    private func lookAround(_ session: Session) {
      let now = coarseNanoseconds()
      lock.lock()
      let due = session.files.filter { $0.value.mode.due <= now }
      lock.unlock()
      for (watch, file) in due {
        // All observers of a file see the same.
        guard let use = file.observers.values.first?.foreignUse() else { continue }
        var missed = false
        lock.lock()
        change(session, watch) { missed = $0.look(use, now: now) }
        lock.unlock()
        if missed { for observer in file.observers.values { observer.onChange() } }
      }
    }

    /// Changes what is heard of a file. Under the lock.
    private func change(_ session: Session, _ watch: Int32, _ body: (inout WatchMode) -> Void) {
      guard var file = session.files[watch] else { return }
      let before = Self.events(file.mode)
      body(&file.mode)
      session.files[watch] = file
      guard Self.events(file.mode) != before else { return }
      let changed = inotify_add_watch(session.inotify, file.path, Self.events(file.mode))
      guard changed >= 0, changed != watch else { return }
      // The path has come to mean another file.
      if let other = session.files[changed] {
        inotify_add_watch(session.inotify, other.path, Self.events(other.mode))
      } else {
        inotify_rm_watch(session.inotify, changed)
      }
    }

    /// Returns the time of the next look; nil when the session has ended.
    private func due(_ session: Session) -> UInt64? {
      lock.lock()
      defer { lock.unlock() }
      return self.session === session ? session.files.values.map(\.mode.due).min() : nil
    }

    /// The observers of some watch descriptors, or of all.
    private func observers(_ session: Session, _ changed: Set<Int32>?) -> [Observer] {
      lock.lock()
      defer { lock.unlock() }
      guard let changed, !changed.contains(-1) else { return session.files.values.flatMap(\.observers.values) }
      return changed.flatMap { session.files[$0].map { Array($0.observers.values) } ?? [] }
    }
  }
#else
  func currentThreadNumber() -> Int32 { 0 }
  func isFlushed(_ descriptor: Int32) -> Bool { false }
  func openForFlushing(_ descriptor: Int32) -> Int32? { nil }
  func flushData(_ descriptor: Int32) -> Int32 { ENOTSUP }
  func closeDescriptor(_ descriptor: Int32) {}
  func setSharedLock(_ descriptor: Int32, at place: Int64, _ isSet: Bool) {}
  func hasForeignLock(_ descriptor: Int32, at place: Int64) -> Bool { false }
  func coarseNanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
  func isThreadAlive(_ number: Int32) -> Bool { true }
  func networkFileSystem(of descriptor: Int32) -> String? { nil }
  func fileSizeLimit() -> UInt64? { nil }
  let openFilesResource = RLIMIT_NOFILE
  func takeBlocksFromSystem(from bytes: Int) {}
  func giveBackFreeMemory() {}
#endif
