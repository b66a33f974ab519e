//  Messages, rooms and those who write in them.

import Foundation
import Realm
@_exported import RealmSwift

public class ChatUser : Object, Addressable {

	@objc public dynamic var userId : String = ""
	@objc public dynamic var nickname : String = ""
	@objc public dynamic var avatar : Data? = nil
	@objc public dynamic var lastSeen : Date? = nil
	@objc public dynamic var isBlocked : Bool = false
	public let unread : RealmOptional<Int> = RealmOptional<Int>()
	public let mutedUntil = RealmOptional<Double>( )

	public var address : String { return "@" + nickname }

	override public static func primaryKey() -> String? { return "userId" }

	override required public init() {
		super.init()
	}

	public init(id: String, nickname: String) {
		super.init()
		self.userId = id
		self.nickname = nickname
	}
}

@objc public protocol Addressable : AnyObject {
	var address : String { get }
}

// A room with its messages, newest last.
public class Room: Object {
	@objc dynamic var roomId = 0
	@objc dynamic var topic = "", language = "en"
	let members = List<ChatUser>()
	let messages = List<Message>()
	let moderators : MutableSet<ChatUser> = MutableSet<ChatUser>()
	var pinned = List<Message>()
	@objc dynamic var lastMessage: Message?
	let lastReadPositions = Map<String, Int>()

	@objc public class func primaryKeyName() -> String { "roomId" }

	// Computed, so that it is in one place.
	override public static func primaryKey() -> String? { return Room.primaryKeyName() }

	@objc subscript(position position: Int) -> Message? {
		return position < messages.count ? messages[position] : nil
	}

	/// 🎉 counts as one character, whatever it is made of.
	var topicLength: Int { topic.count }
}

public class Message: Object {
	/// The order of messages in a room. Ünïcödé in comments — and “quotes” — must survive.
	@objc dynamic var sequence: Int = 0
	@objc dynamic var text: String = "…"
	@objc dynamic var sender: ChatUser?
	@objc dynamic var sentAt = Date()
	@objc dynamic private var rawKind = Kind.text.rawValue
	@objc dynamic var attachment: Attachment?
	let reactions = Map<String, Int>()
	let payload = RealmProperty<AnyRealmValue>()
	let rooms = LinkingObjects(fromType: Room.self, property: "messages")

	enum Kind: String {
		case text, image, location
	}

	/// The kind, from what is stored of it.
	var kind: Kind {
		get { return Kind(rawValue: rawKind) ?? .text }
		set { rawKind = newValue.rawValue }
	}

	override static func indexedProperties() -> [String] {
		[
			"sentAt",  // for the newest
			"sequence",
		]
	}

	convenience init(_ text: String, from sender: ChatUser) {
		self.init(); self.text = text; self.sender = sender
	}
}

@objcMembers class Attachment: EmbeddedObject {
	dynamic var fileName = ""; dynamic var bytes = 0
	dynamic var checksum: String?
	let duration = RealmOptional<Double>()
}
