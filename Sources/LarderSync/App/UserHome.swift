/// The app that a user is of, as the user sees it.
protocol UserHome: AnyObject, Sendable {
  var id: String { get }
  var options: AppOptions { get }
  var paths: SyncPaths { get }

  /// Keeps the users as they are now.
  func save()

  /// Forgets the user with an id.
  func forget(_ id: String)

  /// Says that a user has changed.
  func userChanged()

  /// The address of connections.
  ///
  /// - Throws: `AppError` where none was said, and for one that is none.
  func address() throws -> String
}
