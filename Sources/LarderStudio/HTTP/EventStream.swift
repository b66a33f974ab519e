/// A stream of server-sent events: pieces of text, each ready to be sent. What makes them ends when they are no longer read.
package struct EventStream: Sendable {
  package let pieces: AsyncStream<String>
}
