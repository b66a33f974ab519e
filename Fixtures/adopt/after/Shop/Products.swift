import Foundation
import Larder

// MARK: - Base classes

/// What every stored thing of the shop has in common.
class ShopObject: Object {
    @Persisted(primaryKey: true) var uuid: String = UUID().uuidString
    @Persisted var createdAt: Date = Date()
    @Persisted var updatedAt: Date?

    /// To be called before each change.
    func touch() {
        updatedAt = Date()
    }

    /// The name in messages.
    var displayName: String { "\(type(of: self)) \(uuid.prefix(4))" }
}

/// Which of two ways something is sold; a generic class between the base and what is stored.
class Priced<Unit>: ShopObject {
    @Persisted var cents: Int = 0
    @Persisted var currency = "EUR"
    @Persisted var discount: Int?

    var price: Double {
        let reduction = discount ?? 0
        return Double(cents * (100 - reduction)) / 100 / 100
    }
}

enum Piece {}
enum Kilogram {}

// MARK: - Products

enum Availability: Int {
    case available, soon, discontinued
}

extension Availability: PersistableEnum {}

final class Article: Priced<Piece>, Stocked {
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var article_number = 0
    @Persisted var availability: Availability = .available
    @Persisted var category: Category?
    @Persisted var dimensions: Dimensions? = Dimensions()
    @Persisted var images: List<Data>
    @Persisted var variants: List<Variant>
    @Persisted var related: MutableSet<Article>
    @Persisted var attributes: Map<String, String?>

    @Persisted var stock: Int = 0 {
        didSet {
            if stock < 0 { stock = 0 }
        }
    }

    override var displayName: String {
        return name.isEmpty ? super.displayName : name
    }
}

final class BulkGood: Priced<Kilogram> {
    @Persisted var name = ""
    @Persisted var density: Float = 1
}

/// Colours and sizes.
class Variant: EmbeddedObject {
    @Persisted var color = ""
    @Persisted var size = ""
    @Persisted var surcharge: Int?

    var isShown = false
}

final class Dimensions: EmbeddedObject {
    @Persisted var width = 0.0
    @Persisted var height = 0.0 // in the plane
    @Persisted var depth = 0.0 // away from it
    var volume: Double { width * height * depth }
}

final class Category: ShopObject {
    @Persisted var name = ""
    @Persisted var parent: Category?
    @Persisted(originProperty: "parent") var children: LinkingObjects<Category>
    @Persisted(originProperty: Category.articleLink) var articles: LinkingObjects<Article>

    static let articleLink = "category"

    /// From the root to here.
    var path: [String] {
        (parent?.path ?? []) + [name]
    }
}

/// Everything with a stock.
protocol Stocked: Countable {
    var stock: Int { get set }
}

protocol Countable: AnyObject {}

extension Stocked {
    var isInStock: Bool { stock > 0 }
}
