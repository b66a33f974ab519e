/// Whether the objects of a class go to other devices, in a Realm that is synced.
public enum SyncMode: Hashable, Sendable {
  /// They do.
  case synced
  /// They stay on this device.
  case local
}
