import Foundation
import RealmSwift

/// The states of an order, in their order.
@objc
enum OrderState: Int, RealmEnum, CustomStringConvertible {
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
    @objc dynamic var name = ""
    @objc dynamic var email = ""
    @objc dynamic var billing: PostalAddress?
    @objc dynamic var delivery: PostalAddress?
    let points = RealmOptional<Int64>(0)
    let newsletter = RealmOptional<Bool>()
    let orders = LinkingObjects(fromType: Order.self, property: "customer")

    static func named(_ name: String, in realm: Realm) -> Customer? {
        return realm.objects(Customer.self).filter("name == %@", name).first
    }
}

final class PostalAddress: EmbeddedObject {
    @objc dynamic var street = ""
    @objc dynamic var zip = ""
    @objc dynamic var city = ""

    convenience init(street: String, zip: String, city: String) {
        self.init()
        self.street = street
        self.zip = zip
        self.city = city
    }

    required override init() {
        super.init()
    }
}

class Order: ShopObject {
    @objc dynamic var number = 0
    @objc dynamic var state = OrderState.cart
    let previousState = RealmOptional<OrderState>()
    @objc dynamic var customer: Customer?
    let lines = List<OrderLine>()
    let payment = RealmProperty<PaymentKind?>()

    var total: Double {
        lines.reduce(0.0) { $0 + $1.total }
    }

    func advance() {
        guard let next = state.next else { return }
        previousState.value = state
        state = next
        touch()
    }
}

enum PaymentKind: String, RealmEnum { case card, invoice, cash }

final class OrderLine: EmbeddedObject {
    @objc dynamic var article: Article?
    @objc dynamic var bulk: BulkGood?
    @objc dynamic var amount = 1.0
    let agreedCents = RealmOptional<Int>()

    var total: Double {
        if let agreed = agreedCents.value { return Double(agreed) / 100 * amount }
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
        detail = "\(order.state), before \(order.previousState.value?.description ?? "nothing")"
        isPaid = order.payment.value != nil
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
            order.payment.value = kind
            order.customer?.points.value! += Int64(order.total)
            orders[index].advance()
        }
        reload()
    }

    /// Points of all customers who have any.
    func points() -> Int64 {
        var sum: Int64 = 0
        for order in orders {
            guard let customer = order.customer, let points = customer.points.value else { continue }
            sum += points
        }
        return sum
    }

    var subscribers: [String] {
        realm.objects(Customer.self)
            .filter { customer in customer.newsletter.value == true }
            .map { $0.name }
            .sorted()
    }

    func giveAway(_ points: Int64) throws {
        try realm.write {
            realm.objects(Customer.self).forEach { $0.points.value = ($0.points.value ?? 0) + points }
        }
    }

    func agreed(_ lines: List<OrderLine>) -> [Int] {
        lines.compactMap { line in
            line
                .agreedCents
                .value
        }
    }

    func discounts() -> [Int] {
        let paths: [KeyPath<Article, Int?>] = [\Article.discount.value]
        return realm.objects(Article.self).compactMap { $0[keyPath: paths[0]] }
    }
}
