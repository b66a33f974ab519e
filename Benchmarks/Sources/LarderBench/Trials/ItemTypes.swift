import Larder

/// A thousand classes from one declaration: a class for each three digits.
final class Item<Hundreds: Digit, Tens: Digit, Units: Digit>: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int

  override class func _realmObjectName() -> String? { "Item\(Hundreds.text)\(Tens.text)\(Units.text)" }

  convenience init(id: Int) {
    self.init()
    self.id = id
    name = "name"
    age = id
  }
}

protocol Digit: SendableMetatype {
  static var text: String { get }
}

enum Digit0: Digit { static let text = "0" }
enum Digit1: Digit { static let text = "1" }
enum Digit2: Digit { static let text = "2" }
enum Digit3: Digit { static let text = "3" }
enum Digit4: Digit { static let text = "4" }
enum Digit5: Digit { static let text = "5" }
enum Digit6: Digit { static let text = "6" }
enum Digit7: Digit { static let text = "7" }
enum Digit8: Digit { static let text = "8" }
enum Digit9: Digit { static let text = "9" }

enum ItemTypes {
  private static let digits: [any Digit.Type] = [
    Digit0.self, Digit1.self, Digit2.self, Digit3.self, Digit4.self, Digit5.self, Digit6.self, Digit7.self, Digit8.self,
    Digit9.self,
  ]

  static let all: [ObjectBase.Type] = digits.flatMap { hundreds in
    digits.flatMap { tens in digits.map { units in item(hundreds, tens, units) } }
  }

  private static func item<Hundreds: Digit, Tens: Digit, Units: Digit>(
    _: Hundreds.Type, _: Tens.Type, _: Units.Type
  ) -> ObjectBase.Type { Item<Hundreds, Tens, Units>.self }
}
