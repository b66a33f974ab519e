#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// A property that a token is saved in.
  struct TokenPlace<Parent> {
    private var parent: Parent
    private let keyPath: WritableKeyPath<Parent, NotificationToken?>

    init(_ parent: Parent, _ keyPath: WritableKeyPath<Parent, NotificationToken?>) {
      self.parent = parent
      self.keyPath = keyPath
    }

    mutating func save(_ token: NotificationToken) { parent[keyPath: keyPath] = token }
  }
#endif
