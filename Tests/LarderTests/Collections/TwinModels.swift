import Foundation
import Larder

/// A custom type that is stored as a text.
struct Label: CustomPersistable, Equatable {
  typealias PersistedType = String
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

/// Collections of every type of element, in memory and stored.
class Twin: Object {
  @Persisted var bools: List<Bool>
  @Persisted var boolSet: MutableSet<Bool>
  @Persisted var boolMap: Map<String, Bool>
  @Persisted var ints: List<Int>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var intMap: Map<String, Int>
  @Persisted var bytes: List<Int8>
  @Persisted var byteSet: MutableSet<Int8>
  @Persisted var byteMap: Map<String, Int8>
  @Persisted var floats: List<Float>
  @Persisted var floatSet: MutableSet<Float>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var doubles: List<Double?>
  @Persisted var doubleSet: MutableSet<Double?>
  @Persisted var doubleMap: Map<String, Double?>
  @Persisted var texts: List<String>
  @Persisted var textSet: MutableSet<String>
  @Persisted var textMap: Map<String, String>
  @Persisted var datas: List<Data>
  @Persisted var dataSet: MutableSet<Data>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dates: List<Date>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var uuids: List<UUID>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var identifiers: List<ObjectId>
  @Persisted var identifierSet: MutableSet<ObjectId>
  @Persisted var identifierMap: Map<String, ObjectId>
  @Persisted var decimals: List<Decimal128>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var kinds: List<Kind>
  @Persisted var kindSet: MutableSet<Kind>
  @Persisted var kindMap: Map<String, Kind>
  @Persisted var labels: List<Label?>
  @Persisted var labelSet: MutableSet<Label?>
  @Persisted var labelMap: Map<String, Label?>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var valueSet: MutableSet<AnyRealmValue>
  @Persisted var valueMap: Map<String, AnyRealmValue>
  @Persisted var people: List<Person>
  @Persisted var personSet: MutableSet<Person>
  @Persisted var personMap: Map<String, Person?>
}
