import Foundation
import Larder

public struct ShopFailure: Error, CustomStringConvertible {
    public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
    if value != expected { throw ShopFailure(description: "ShopChecks, line \(line): \(value) and not \(expected)") }
}

public enum ShopChecks {
    public static func run() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "shop",
            objectTypes: [
                Article.self, BulkGood.self, Variant.self, Dimensions.self, Category.self, Customer.self,
                PostalAddress.self, Order.self, OrderLine.self,
            ])
        let realm = try Realm(configuration: configuration)
        try fill(realm)
        try products(realm)
        try orders(realm)
        try stock(realm)
        try migration()
    }

    private static func fill(_ realm: Realm) throws {
        let root = Category()
        root.name = "Garden"
        let tools = Category()
        tools.name = "Tools"
        tools.parent = root
        let spade = Article()
        spade.name = "Spade"
        spade.article_number = 100
        spade.cents = 2_000
        spade.discount = 10
        spade.category = tools
        spade.stock = 4
        spade.dimensions?.width = 0.2
        spade.dimensions?.height = 1.2
        spade.dimensions?.depth = 0.1
        spade.images.append(Data([1, 2, 3]))
        spade.attributes["material"] = "steel"
        let variant = Variant()
        variant.color = "red"
        variant.surcharge = 150
        spade.variants.append(variant)
        let soil = BulkGood()
        soil.name = "Soil"
        soil.cents = 300
        let customer = Customer()
        customer.name = "Zoe"
        customer.newsletter = true
        customer.billing = PostalAddress(street: "Main Street 1", zip: "1234", city: "Bern")
        let order = Order()
        order.number = 1
        order.customer = customer
        let first = OrderLine()
        first.article = spade
        first.amount = 2
        let second = OrderLine()
        second.bulk = soil
        second.agreedCents = 250
        second.amount = 10
        order.lines.append(objectsIn: [first, second])
        try realm.write {
            realm.add(order)
            spade.related.insert(spade)
        }
    }

    private static func products(_ realm: Realm) throws {
        guard let spade = realm.objects(Article.self).where({ $0.name == "Spade" }).first else {
            throw ShopFailure(description: "no spade")
        }
        try expect(spade.price, 18)
        try expect(spade.displayName, "Spade")
        try expect(spade.category?.path, ["Garden", "Tools"])
        try expect(spade.category?.articles.count, 1)
        try expect(spade.category?.parent?.children.first?.name, "Tools")
        try expect(spade.variants.first?.surcharge, 150)
        try expect(spade.variants[0].color, "red")
        try expect((spade.dimensions?.volume ?? 0) > 0.02, true)
        try expect(spade.attributes["material"], "steel")
        try expect(spade.images.first?.count, 3)
        try expect(spade.related.count, 1)
        try expect(spade.availability, .available)
        let article = realm.schema["Article"]
        try expect(article?.primaryKeyProperty?.name, "uuid")
        try expect(article?["displayName"] == nil, true)
        try expect(article?["article_number"]?.isIndexed, true)
        try expect(article?["name"]?.isIndexed, true)
        try expect(realm.schema["Variant"]?["isShown"] == nil, true)
        try expect(realm.objects(BulkGood.self).first?.currency, "EUR")
        try expect(realm.objects(BulkGood.self).first?.discount, nil)
    }

    private static func orders(_ realm: Realm) throws {
        let model = OrderListModel(realm: realm)
        try expect(model.rows.first?.detail, "in the cart, before nothing")
        try expect(model.rows.first?.isPaid, false)
        try model.pay(0, by: .card)
        try expect(model.rows.first?.detail, "placed, before in the cart")
        try expect(model.rows.first?.isPaid, true)
        try expect(model.points(), 61)
        try expect(model.subscribers, ["Zoe"])
        try model.giveAway(4)
        try expect(model.points(), 65)
        try expect(model.discounts(), [10])
        let order = realm.objects(Order.self).filter("state == %@", OrderState.placed.rawValue).first
        try expect(order?.payment, .card)
        try expect(order.map { model.agreed($0.lines) }, [250])
        try expect(order?.updatedAt == nil, false)
        try expect(order?.customer?.orders.count, 1)
        try expect(Customer.named("Zoe", in: realm)?.billing?.city, "Bern")
        try expect(Customer.named("Zoe", in: realm)?.delivery?.city, nil)
    }

    private static func stock(_ realm: Realm) throws {
        let article = Article()
        article.stock = -3
        try expect(article.stock, 0)
        article.stock = 2
        try expect(article.isInStock, true)
    }

    private static func migration() throws {
        let block: MigrationBlock = { migration, oldVersion in
            if oldVersion < 2 {
                migration.enumerateObjects(ofType: Article.className()) { old, new in
                    new?["currency"] = old?["currency"] as? String ?? "CHF"
                }
            }
        }
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "migrated", schemaVersion: 2, migrationBlock: block, objectTypes: [Category.self, Article.self, Variant.self, Dimensions.self])
        try expect(try Realm(configuration: configuration).isEmpty, true)
    }
}
