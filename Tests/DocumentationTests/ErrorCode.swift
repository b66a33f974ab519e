import Larder

/// The code of the error that a call throws; nil when it throws none.
func errorCode(_ body: () throws -> Void) -> Realm.Error.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? Realm.Error)?.code
  }
}
