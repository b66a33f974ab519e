/// The reach of the objects of a class, in a Realm that is synced: other devices too, or this one only.
public enum SyncMode: Hashable, Sendable {
  /// They go to other devices.
  case synced
  /// They stay on this device.
  case local
}
