import LarderLMDB

/// A read-only view of an encoded column leaf.
package struct LeafView {
  package let bytes: ByteView
}
