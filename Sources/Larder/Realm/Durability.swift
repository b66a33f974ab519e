import LarderStorage

extension Realm {
  /// The commits that a power cut can take. Beyond RealmSwift.
  ///
  /// A crash or a kill of the program takes nothing at any level, and no level lets a store become damaged when the program ends
  /// while the system goes on.
  public enum Durability: Sendable, Hashable {
    /// None: a commit is on the disk when it returns. Two syncs a commit.
    case full
    /// The last commit; the store is whole, at that or the version before. One sync a commit.
    case relaxed
    /// Everything since the system wrote the file by itself, and the store may be damaged then. No sync: for data that can be made
    /// again.
    case none

    var stored: StoreOptions.Durability {
      switch self {
      case .full: .full
      case .relaxed: .relaxed
      case .none: .none
      }
    }
  }
}
