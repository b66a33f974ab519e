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

  /// Opens a file once more to flush it by; nil where it is in memory, or cannot be opened.
  func openForFlushing(_ descriptor: Int32) -> Int32? {
    var status = statfs()
    guard fstatfs(descriptor, &status) == 0 else { return nil }
    let magic = UInt32(truncatingIfNeeded: status.f_type)
    if magic == tmpfsMagic || magic == ramfsMagic { return nil }
    let opened = open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    return opened >= 0 ? opened : nil
  }

  /// Waits until what was written to a file is on the disk. Zero, or what went wrong.
  func flushData(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) == 0 ? 0 : errno }

  func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

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

  /// Where a thread keeps its number, with the count of forks in the upper half.
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

  /// Whether a thread of this process with that number has not ended.
  func isThreadAlive(_ number: Int32) -> Bool { access("/proc/self/task/\(number)", F_OK) == 0 }

  /// Bytes that a file of this process may have; nil when there is no limit.
  func fileSizeLimit() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return nil }
    return limit.rlim_cur == rlim_t.max ? nil : UInt64(limit.rlim_cur)
  }

  let openFilesResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

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
      var observers: [Int32: [UInt64: Observer]] = [:]

      init?() {
        // The flags of both calls are those of open(2).
        inotify = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        wakeup = eventfd(0, O_CLOEXEC | O_NONBLOCK)
        if inotify < 0 || wakeup < 0 { return nil }
      }

      deinit {
        if inotify >= 0 { close(inotify) }
        if wakeup >= 0 { close(wakeup) }
      }
    }

    /// Who hears of changes of one file.
    private struct Observer {
      let isWritingItself: @Sendable () -> Bool
      let onChange: @Sendable () -> Void
    }

    /// Microseconds that events may gather while this process writes. Without a pause each of the several writes of a
    /// commit would wake the thread, in the middle of the commit. It doubles while the process keeps on writing, up to
    /// what a commit of another process right after may be late.
    private static let pause: ClosedRange<UInt32> = 500...4_000

    /// What ends a watch.
    struct Ticket {
      let watch: Int32
      let serial: UInt64
    }

    private let lock = NSLock()
    private var session: Session?
    private var nextSerial: UInt64 = 0

    /// Calls `onChange` on the hub's thread after the file was written; nil when the system has no watch left.
    func watch(
      _ path: String, isWritingItself: @escaping @Sendable () -> Bool, _ onChange: @escaping @Sendable () -> Void
    ) -> Ticket? {
      lock.lock()
      defer { lock.unlock() }
      guard let session = session ?? Session() else { return nil }
      let watch = inotify_add_watch(session.inotify, path, UInt32(IN_MODIFY))
      if watch < 0 { return nil }
      nextSerial += 1
      session.observers[watch, default: [:]][nextSerial] = Observer(
        isWritingItself: isWritingItself, onChange: onChange)
      if self.session == nil {
        self.session = session
        start(session)
      }
      return Ticket(watch: watch, serial: nextSerial)
    }

    func unwatch(_ ticket: Ticket) {
      lock.lock()
      defer { lock.unlock() }
      guard let session else { return }
      session.observers[ticket.watch]?[ticket.serial] = nil
      if session.observers[ticket.watch]?.isEmpty ?? false {
        session.observers[ticket.watch] = nil
        inotify_rm_watch(session.inotify, ticket.watch)
      }
      if session.observers.isEmpty {
        self.session = nil
        var one: UInt64 = 1
        _ = write(session.wakeup, &one, 8)
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
      while isCurrent(session) {
        var waits = [
          pollfd(fd: session.inotify, events: Int16(POLLIN), revents: 0),
          pollfd(fd: session.wakeup, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&waits, 2, -1) < 0 { continue }
        if observers(session, nil).contains(where: { $0.isWritingItself() }) {
          usleep(pause)
          pause = min(2 * pause, Self.pause.upperBound)
        } else {
          pause = Self.pause.lowerBound
        }
        var changed: Set<Int32> = []
        while true {
          let count = read(session.inotify, &buffer, buffer.count)
          if count <= 0 { break }
          collect(buffer, count, into: &changed)
        }
        for observer in observers(session, changed) { observer.onChange() }
      }
    }

    private func collect(_ buffer: [UInt8], _ count: Int, into changed: inout Set<Int32>) {
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // -1 is the overflow of the queue: something has changed, not who.
          changed.insert(event.wd)
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }

    private func isCurrent(_ session: Session) -> Bool {
      lock.lock()
      defer { lock.unlock() }
      return self.session === session
    }

    /// The observers of some watch descriptors, or of all.
    private func observers(_ session: Session, _ changed: Set<Int32>?) -> [Observer] {
      lock.lock()
      defer { lock.unlock() }
      guard let changed, !changed.contains(-1) else { return session.observers.values.flatMap(\.values) }
      return changed.flatMap { session.observers[$0].map { Array($0.values) } ?? [] }
    }
  }
#else
  func currentThreadNumber() -> Int32 { 0 }
  func openForFlushing(_ descriptor: Int32) -> Int32? { nil }
  func flushData(_ descriptor: Int32) -> Int32 { ENOTSUP }
  func closeDescriptor(_ descriptor: Int32) {}
  func coarseNanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
  func isThreadAlive(_ number: Int32) -> Bool { true }
  func networkFileSystem(of descriptor: Int32) -> String? { nil }
  func fileSizeLimit() -> UInt64? { nil }
  let openFilesResource = RLIMIT_NOFILE
#endif
