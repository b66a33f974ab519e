import Foundation
import LarderStorage

// Results of aggregates may be asked for as these types; properties may not have them.

extension NSNumber: MinMaxType, AddableType, _HasPersistedType, _PossiblyAggregateable {
  public typealias PersistedType = NSNumber
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    switch value {
    case let value as Self: value
    case let value as Int64: NSNumber(value: value) as? Self
    case let value as Int: NSNumber(value: value) as? Self
    case let value as Double: NSNumber(value: value) as? Self
    case let value as Float: NSNumber(value: value) as? Self
    case let value as Bool: NSNumber(value: value) as? Self
    default: nil
    }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    switch value {
    case .int(let value): _rlmFromObjc(value, insideOptional: false)
    case .float(let value): _rlmFromObjc(value, insideOptional: false)
    case .double(let value): _rlmFromObjc(value, insideOptional: false)
    case .bool(let value): _rlmFromObjc(value, insideOptional: false)
    default: nil
    }
  }
}

extension NSDate: MinMaxType, _HasPersistedType, _PossiblyAggregateable {
  public typealias PersistedType = NSDate
  public var _rlmObjcValue: Any { self }

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let value = value as? Self { return value }
    return (value as? Date).flatMap { NSDate(timeInterval: 0, since: $0) as? Self }
  }

  public static func _rlmFromStored(_ value: StoredValue, in realm: Realm?) -> Self? {
    guard case .date(let stored) = value else { return nil }
    return _rlmFromObjc(stored.date, insideOptional: false)
  }
}
