import Larder

/// Model classes of a static archive of their own; `.ci/check-static-archive` links it.
public class Dog: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted(indexed: true) public var name: String
  @Persisted public var tags: List<String>
  @Persisted public var collar: Collar?
}

public class Collar: EmbeddedObject {
  @Persisted public var color: String
}
