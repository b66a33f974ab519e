import Foundation
import Larder

/// The states of an order, in their order.
enum OrderState: Int, PersistableEnum, CustomStringConvertible {
    case cart
    case placed
    case paid
    case sent

    var description: String {
        ["in the cart", "placed", "paid", "sent"][rawValue]
    }

    var next: OrderState? { OrderState(rawValue: rawValue + 1) }
}

class Customer: ShopObject {
    @Persisted var name = ""
    @Persisted var email = ""
    @Persisted var billing: PostalAddress?
    @Persisted var delivery: PostalAddress?
    @Persisted var points: Int64? = 0
    @Persisted var newsletter: Bool?
    @Persisted(originProperty: "customer") var orders: LinkingObjects<Order>

    static func named(_ name: String, in realm: Realm) -> Customer? {
        return realm.objects(Customer.self).filter("name == %@", name).first
    }
}

final class PostalAddress: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var zip = ""
    @Persisted var city = ""

    convenience init(street: String, zip: String, city: String) {
        self.init()
        self.street = street
        self.zip = zip
        self.city = city
    }

    required init() {
        super.init()
    }
}

class Order: ShopObject {
    @Persisted var number = 0
    @Persisted var state = OrderState.cart
    @Persisted var previousState: OrderState?
    @Persisted var customer: Customer?
    @Persisted var lines: List<OrderLine>
    @Persisted var payment: PaymentKind?

    var total: Double {
        lines.reduce(0.0) { $0 + $1.total }
    }

    func advance() {
        guard let next = state.next else { return }
        previousState = state
        state = next
        touch()
    }
}

enum PaymentKind: String, PersistableEnum { case card, invoice, cash }

final class OrderLine: EmbeddedObject {
    @Persisted var article: Article?
    @Persisted var bulk: BulkGood?
    @Persisted var amount = 1.0
    @Persisted var agreedCents: Int?

    var total: Double {
        if let agreed = agreedCents { return Double(agreed) / 100 * amount }
        return (article?.price ?? bulk?.price ?? 0) * amount
    }
}

// MARK: - What the screens show

/// One row of the list of orders.
struct OrderRow {
    let title: String
    let detail: String
    let isPaid: Bool

    init(_ order: Order) {
        title = "No. \(order.number)"
        detail = "\(order.state), before \(order.previousState?.description ?? "nothing")"
        isPaid = order.payment != nil
    }
}

final class OrderListModel {
    private let realm: Realm
    private var orders: Results<Order>
    private(set) var rows: [OrderRow] = []
    var token: NotificationToken?

    init(realm: Realm) {
        self.realm = realm
        orders = realm.objects(Order.self).sorted(byKeyPath: "number")
        reload()
    }

    func reload() {
        rows = orders.map { OrderRow($0) }
    }

    func pay(_ index: Int, by kind: PaymentKind) throws {
        let order = orders[index]
        try realm.write {
            order.payment = kind
            order.customer?.points! += Int64(order.total)
            orders[index].advance()
        }
        reload()
    }

    /// Points of all customers who have any.
    func points() -> Int64 {
        var sum: Int64 = 0
        for order in orders {
            guard let customer = order.customer, let points = customer.points else { continue }
            sum += points
        }
        return sum
    }

    var subscribers: [String] {
        realm.objects(Customer.self)
            .filter { customer in customer.newsletter == true }
            .map { $0.name }
            .sorted()
    }

    func giveAway(_ points: Int64) throws {
        try realm.write {
            realm.objects(Customer.self).forEach { $0.points = ($0.points ?? 0) + points }
        }
    }

    func agreed(_ lines: List<OrderLine>) -> [Int] {
        lines.compactMap { line in
            line
                .agreedCents
        }
    }

    func discounts() -> [Int] {
        let paths: [KeyPath<Article, Int?>] = [\Article.discount]
        return realm.objects(Article.self).compactMap { $0[keyPath: paths[0]] }
    }
}
