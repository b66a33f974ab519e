import Larder

/// A model class of a library that a program uses: found like the program's own.
public class LibraryThing: Object {
  @Persisted(primaryKey: true) public var id: Int
  @Persisted public var part: LibraryPart?

  /// Nested in another type, and not seen by those who import the library.
  final class LibraryInner: Object {
    @Persisted var things: List<LibraryThing>
  }
}

/// A part of a thing.
public final class LibraryPart: EmbeddedObject {
  @Persisted public var name: String
}
