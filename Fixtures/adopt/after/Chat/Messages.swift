//  Messages, rooms and those who write in them.

import Foundation
@_exported import Larder

public class ChatUser : Object, Addressable {

	@Persisted(primaryKey: true) public var userId : String = ""
	@Persisted public var nickname : String = ""
	@Persisted public var avatar : Data? = nil
	@Persisted public var lastSeen : Date? = nil
	@Persisted public var isBlocked : Bool = false
	@Persisted public var unread: Int?
	@Persisted public var mutedUntil: Double?

	public var address : String { return "@" + nickname }

	required public init() {
		super.init()
	}

	public init(id: String, nickname: String) {
		super.init()
		self.userId = id
		self.nickname = nickname
	}
}

public protocol Addressable : AnyObject {
	var address : String { get }
}

// A room with its messages, newest last.
public class Room: Object {
	@Persisted var roomId = 0
	@Persisted var topic = ""
	@Persisted var language = "en"
	@Persisted var members: List<ChatUser>
	@Persisted var messages: List<Message>
	@Persisted var moderators : MutableSet<ChatUser>
	@Persisted var pinned: List<Message>
	@Persisted var lastMessage: Message?
	@Persisted var lastReadPositions: Map<String, Int>

	public class func primaryKeyName() -> String { "roomId" }

	// Computed, so that it is in one place.
	override public static func primaryKey() -> String? { return Room.primaryKeyName() }

	subscript(position position: Int) -> Message? {
		return position < messages.count ? messages[position] : nil
	}

	/// 🎉 counts as one character, whatever it is made of.
	var topicLength: Int { topic.count }
}

public class Message: Object {
	/// The order of messages in a room. Ünïcödé in comments — and “quotes” — must survive.
	@Persisted(indexed: true) var sequence: Int = 0
	@Persisted var text: String = "…"
	@Persisted var sender: ChatUser?
	@Persisted(indexed: true) var sentAt = Date()
	@Persisted private var rawKind = Kind.text.rawValue
	@Persisted var attachment: Attachment?
	@Persisted var reactions: Map<String, Int>
	@Persisted var payload: AnyRealmValue
	@Persisted(originProperty: "messages") var rooms: LinkingObjects<Room>

	enum Kind: String {
		case text, image, location
	}

	/// The kind, from what is stored of it.
	var kind: Kind {
		get { return Kind(rawValue: rawKind) ?? .text }
		set { rawKind = newValue.rawValue }
	}

	convenience init(_ text: String, from sender: ChatUser) {
		self.init(); self.text = text; self.sender = sender
	}
}

class Attachment: EmbeddedObject {
	@Persisted var fileName = ""; @Persisted var bytes = 0
	@Persisted var checksum: String?
	@Persisted var duration: Double?
}
