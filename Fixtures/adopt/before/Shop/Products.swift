import Foundation
import RealmSwift

// MARK: - Base classes

/// What every stored thing of the shop has in common.
class ShopObject: Object {
    @objc dynamic var uuid: String = UUID().uuidString
    @objc dynamic var createdAt: Date = Date()
    @objc dynamic var updatedAt: Date?

    override static func primaryKey() -> String? {
        "uuid"
    }

    /// To be called before each change.
    @objc func touch() {
        updatedAt = Date()
    }

    /// The name in messages.
    @objc dynamic var displayName: String { "\(type(of: self)) \(uuid.prefix(4))" }
}

/// Which of two ways something is sold; a generic class between the base and what is stored.
class Priced<Unit>: ShopObject {
    @objc dynamic var cents: Int = 0
    @objc dynamic var currency = "EUR"
    let discount = RealmOptional<Int>()

    var price: Double {
        let reduction = discount.value ?? 0
        return Double(cents * (100 - reduction)) / 100 / 100
    }
}

enum Piece {}
enum Kilogram {}

// MARK: - Products

@objc enum Availability: Int {
    case available, soon, discontinued
}

extension Availability: RealmEnum {}

final class Article: Priced<Piece>, Stocked {
    @objc dynamic var name = ""
    @objc dynamic var article_number = 0
    @objc dynamic var availability: Availability = .available
    @objc dynamic var category: Category?
    @objc dynamic var dimensions: Dimensions? = Dimensions()
    let images = List<Data>()
    let variants = List<Variant>()
    let related = MutableSet<Article>()
    let attributes = Map<String, String?>()

    @objc dynamic var stock: Int = 0 {
        didSet {
            if stock < 0 { stock = 0 }
        }
    }

    override static func indexedProperties() -> [String] {
        return ["name", "article_number"]
    }

    override var displayName: String {
        return name.isEmpty ? super.displayName : name
    }
}

final class BulkGood: Priced<Kilogram> {
    @objc dynamic var name = ""
    @objc dynamic var density: Float = 1
}

/// Colours and sizes.
class Variant: EmbeddedObject {
    @objc dynamic var color = ""
    @objc dynamic var size = ""
    let surcharge = RealmProperty<Int?>()

    override static func ignoredProperties() -> [String] {
        return ["isShown"]
    }

    @objc dynamic var isShown = false
}

final class Dimensions: EmbeddedObject {
    @objc dynamic var width = 0.0, height = 0.0, // in the plane
        depth = 0.0 // away from it
    var volume: Double { width * height * depth }
}

final class Category: ShopObject {
    @objc dynamic var name = ""
    @objc dynamic var parent: Category?
    let children = LinkingObjects(fromType: Category.self, property: "parent")
    let articles = LinkingObjects(fromType: Article.self, property: Category.articleLink)

    static let articleLink = "category"

    /// From the root to here.
    var path: [String] {
        (parent?.path ?? []) + [name]
    }
}

/// Everything with a stock.
@objc protocol Stocked: Countable {
    @objc var stock: Int { get set }
}

@objc protocol Countable {}

extension Stocked {
    var isInStock: Bool { stock > 0 }
}
