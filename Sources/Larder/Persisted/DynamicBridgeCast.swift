import Foundation

/// A value of dynamic access as a Swift type; misuse where it is none. Numbers, text and dates are converted as in
/// `create(value:)`.
public func dynamicBridgeCast<T>(fromObjectiveC x: Any) -> T {
  if let value = x as? T { return value }
  if let type = T.self as? any _ObjcBridgeable.Type, let value = type._rlmFromObjc(x, insideOptional: false) as? T {
    return value
  }
  misuse("'\(misuseText(x))' (type \(misuseType(x))) is no \(T.self).")
}

/// A value in the form of dynamic access: enums and custom types as what is stored, nil as `NSNull`.
public func dynamicBridgeCast<T>(fromSwift x: T) -> Any {
  (x as? any _ObjcBridgeable)?._rlmObjcValue ?? x
}
