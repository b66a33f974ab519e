/// Makes the elements of results that show objects as projections.
struct ProjectionMaker {
  private let type: any AnyProjection.Type

  init(_ type: any AnyProjection.Type) { self.type = type }

  func element<Element>(_ object: ObjectBase) -> Element {
    guard let element = type.make(object) as? Element else { misuse("\(type) is no \(Element.self).") }
    return element
  }
}
