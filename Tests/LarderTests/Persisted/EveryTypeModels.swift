import Foundation
import Larder

enum Shade: Double, PersistableEnum { case light = 0.25, dark = 1.5 }

extension Code {
  init(_ text: String) { self.text = text }
}

/// A property of every type that can be stored, required and optional (contract 12.1).
final class EveryScalar: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var uuid: UUID
  @Persisted var kind: Kind
  @Persisted var level: Level
  @Persisted var shade: Shade
  @Persisted var celsius: Celsius
  @Persisted var code = Code("A")
  @Persisted var optBool: Bool?
  @Persisted var optInt: Int?
  @Persisted var optInt8: Int8?
  @Persisted var optInt16: Int16?
  @Persisted var optInt32: Int32?
  @Persisted var optInt64: Int64?
  @Persisted var optFloat: Float?
  @Persisted var optDouble: Double?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optDecimal: Decimal128?
  @Persisted var optUuid: UUID?
  @Persisted var optKind: Kind?
  @Persisted var optLevel: Level?
  @Persisted var optShade: Shade?
  @Persisted var optCelsius: Celsius?
  @Persisted var optCode: Code?
  @Persisted var any: AnyRealmValue
  @Persisted var object: EveryTarget?
  @Persisted var part: EveryPart?
}

final class EveryTarget: Object {
  @Persisted(primaryKey: true) var name: String

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class EveryPart: EmbeddedObject {
  @Persisted var name: String

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// A list of every type of element, required and optional.
final class EveryList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool: List<Bool>
  @Persisted var int: List<Int>
  @Persisted var int8: List<Int8>
  @Persisted var int16: List<Int16>
  @Persisted var int32: List<Int32>
  @Persisted var int64: List<Int64>
  @Persisted var float: List<Float>
  @Persisted var double: List<Double>
  @Persisted var string: List<String>
  @Persisted var data: List<Data>
  @Persisted var date: List<Date>
  @Persisted var objectId: List<ObjectId>
  @Persisted var decimal: List<Decimal128>
  @Persisted var uuid: List<UUID>
  @Persisted var kind: List<Kind>
  @Persisted var level: List<Level>
  @Persisted var shade: List<Shade>
  @Persisted var celsius: List<Celsius>
  @Persisted var code: List<Code>
  @Persisted var optBool: List<Bool?>
  @Persisted var optInt: List<Int?>
  @Persisted var optInt8: List<Int8?>
  @Persisted var optInt16: List<Int16?>
  @Persisted var optInt32: List<Int32?>
  @Persisted var optInt64: List<Int64?>
  @Persisted var optFloat: List<Float?>
  @Persisted var optDouble: List<Double?>
  @Persisted var optString: List<String?>
  @Persisted var optData: List<Data?>
  @Persisted var optDate: List<Date?>
  @Persisted var optObjectId: List<ObjectId?>
  @Persisted var optDecimal: List<Decimal128?>
  @Persisted var optUuid: List<UUID?>
  @Persisted var optKind: List<Kind?>
  @Persisted var optLevel: List<Level?>
  @Persisted var optShade: List<Shade?>
  @Persisted var optCelsius: List<Celsius?>
  @Persisted var optCode: List<Code?>
  @Persisted var objects: List<EveryTarget>
  @Persisted var parts: List<EveryPart>
  @Persisted var anys: List<AnyRealmValue>
}

/// A set of every type of element, required and optional.
final class EverySet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool: MutableSet<Bool>
  @Persisted var int: MutableSet<Int>
  @Persisted var int8: MutableSet<Int8>
  @Persisted var int16: MutableSet<Int16>
  @Persisted var int32: MutableSet<Int32>
  @Persisted var int64: MutableSet<Int64>
  @Persisted var float: MutableSet<Float>
  @Persisted var double: MutableSet<Double>
  @Persisted var string: MutableSet<String>
  @Persisted var data: MutableSet<Data>
  @Persisted var date: MutableSet<Date>
  @Persisted var objectId: MutableSet<ObjectId>
  @Persisted var decimal: MutableSet<Decimal128>
  @Persisted var uuid: MutableSet<UUID>
  @Persisted var kind: MutableSet<Kind>
  @Persisted var level: MutableSet<Level>
  @Persisted var shade: MutableSet<Shade>
  @Persisted var celsius: MutableSet<Celsius>
  @Persisted var code: MutableSet<Code>
  @Persisted var optBool: MutableSet<Bool?>
  @Persisted var optInt: MutableSet<Int?>
  @Persisted var optInt8: MutableSet<Int8?>
  @Persisted var optInt16: MutableSet<Int16?>
  @Persisted var optInt32: MutableSet<Int32?>
  @Persisted var optInt64: MutableSet<Int64?>
  @Persisted var optFloat: MutableSet<Float?>
  @Persisted var optDouble: MutableSet<Double?>
  @Persisted var optString: MutableSet<String?>
  @Persisted var optData: MutableSet<Data?>
  @Persisted var optDate: MutableSet<Date?>
  @Persisted var optObjectId: MutableSet<ObjectId?>
  @Persisted var optDecimal: MutableSet<Decimal128?>
  @Persisted var optUuid: MutableSet<UUID?>
  @Persisted var optKind: MutableSet<Kind?>
  @Persisted var optLevel: MutableSet<Level?>
  @Persisted var optShade: MutableSet<Shade?>
  @Persisted var optCelsius: MutableSet<Celsius?>
  @Persisted var optCode: MutableSet<Code?>
  @Persisted var objects: MutableSet<EveryTarget>
  @Persisted var anys: MutableSet<AnyRealmValue>
}

/// A map of every type of element, required and optional.
final class EveryMap: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var bool: Map<String, Bool>
  @Persisted var int: Map<String, Int>
  @Persisted var int8: Map<String, Int8>
  @Persisted var int16: Map<String, Int16>
  @Persisted var int32: Map<String, Int32>
  @Persisted var int64: Map<String, Int64>
  @Persisted var float: Map<String, Float>
  @Persisted var double: Map<String, Double>
  @Persisted var string: Map<String, String>
  @Persisted var data: Map<String, Data>
  @Persisted var date: Map<String, Date>
  @Persisted var objectId: Map<String, ObjectId>
  @Persisted var decimal: Map<String, Decimal128>
  @Persisted var uuid: Map<String, UUID>
  @Persisted var kind: Map<String, Kind>
  @Persisted var level: Map<String, Level>
  @Persisted var shade: Map<String, Shade>
  @Persisted var celsius: Map<String, Celsius>
  @Persisted var code: Map<String, Code>
  @Persisted var optBool: Map<String, Bool?>
  @Persisted var optInt: Map<String, Int?>
  @Persisted var optInt8: Map<String, Int8?>
  @Persisted var optInt16: Map<String, Int16?>
  @Persisted var optInt32: Map<String, Int32?>
  @Persisted var optInt64: Map<String, Int64?>
  @Persisted var optFloat: Map<String, Float?>
  @Persisted var optDouble: Map<String, Double?>
  @Persisted var optString: Map<String, String?>
  @Persisted var optData: Map<String, Data?>
  @Persisted var optDate: Map<String, Date?>
  @Persisted var optObjectId: Map<String, ObjectId?>
  @Persisted var optDecimal: Map<String, Decimal128?>
  @Persisted var optUuid: Map<String, UUID?>
  @Persisted var optKind: Map<String, Kind?>
  @Persisted var optLevel: Map<String, Level?>
  @Persisted var optShade: Map<String, Shade?>
  @Persisted var optCelsius: Map<String, Celsius?>
  @Persisted var optCode: Map<String, Code?>
  @Persisted var objects: Map<String, EveryTarget?>
  @Persisted var parts: Map<String, EveryPart?>
  @Persisted var anys: Map<String, AnyRealmValue>
}
