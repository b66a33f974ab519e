import LarderStorage

extension ModelClass {
  /// As a store that is synced is to have it.
  var syncedDeclaration: ClassDeclaration {
    var result = declaration
    if let type = type as? Object.Type { result.syncMode = type.syncMode() == .synced ? .synced : .local }
    if type.isAsymmetric() { result.syncMode = .asymmetric }
    return result
  }
}
