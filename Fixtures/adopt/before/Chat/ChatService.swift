import Foundation
import RealmSwift

/// Sends and receives; holds what the screens need.
public final class ChatService {
	let configuration: Realm.Configuration
	private let realm: Realm
	private var token: NotificationToken?
	private(set) var log: [String] = []
	weak var delegate: ChatServiceDelegate?

	init(configuration: Realm.Configuration) throws {
		self.configuration = configuration
		self.realm = try Realm(configuration: configuration)
	}

	deinit { token?.invalidate() }

	// MARK: Rooms

	func join(_ user: ChatUser, room id: Int) throws -> Room {
		if let room = realm.object(ofType: Room.self, forPrimaryKey: id) {
			try realm.write { if room.members.index(of: user) == nil { room.members.append(user) } }
			return room
		}
		let room = Room()
		room.roomId = id
		room.members.append(user)
		try realm.write { realm.add(room) }
		return room
	}

	func send(_ text: String, from user: ChatUser, to room: Room, kind: Message.Kind = .text) throws {
		try realm.write {
			let message = Message(text, from: user)
			message.sequence = (room.messages.max(ofProperty: "sequence") as Int? ?? 0) + 1
			message.kind = kind
			room.messages.append(message)
			room.lastMessage = message
			for member in room.members where member.userId != user.userId {
				member.unread.value = (member.unread.value ?? 0) + 1
			}
			user.unread.value = nil
		}
		delegate?.chatService(self, sent: text)
	}

	func read(_ room: Room, by user: ChatUser) throws {
		try realm.write {
			room.lastReadPositions[user.userId] = room.messages.last?.sequence
			user.unread.value = 0
		}
	}

	/// How many messages are unread, by nickname.
	func unreadCounts() -> [(String, Int)] {
		let users = realm.objects(ChatUser.self).filter("unread > 0").sorted(byKeyPath: "nickname")
		return users.map { user in (user.nickname, user.unread.value!) }
	}

	func mute(_ users: [ChatUser], until time: Double?) throws {
		try realm.write {
			for case let user in users { mute(user, time) }
		}
	}

	private func mute(_ user: ChatUser, _ time: Double?) {
		user.mutedUntil.value = time
	}

	func muted() -> [ChatUser] {
		var result = [ChatUser]()
		let users: Results<ChatUser> = realm.objects(ChatUser.self)
		for index in 0..<users.count {
			let user = users[index]
			if let until = user.mutedUntil.value, until > 10 { result.append(user) }
		}
		return result
	}

	// MARK: Attachments

	func attach(_ name: String, seconds: Double?, to message: Message?) throws {
		guard let message = message else { return }
		try realm.write {
			let attachment = Attachment()
			attachment.fileName = name
			attachment.duration.value = seconds
			message.attachment = attachment
			message.payload.value = .int(7)
		}
	}

	func playingTime(_ room: Room) -> Double {
		room.messages.reduce(0) { $0 + ($1.attachment?.duration.value ?? 0) }
	}

	func firstDuration(_ room: Room) -> Double? {
		if let attachment = room.messages.first(where: { $0.attachment != nil })?.attachment {
			return attachment.duration.value
		}
		return nil
	}

	// MARK: Watching

	func watch(_ room: Room) {
		token = room.messages.observe { [weak self] change in
			guard let self = self else { return }
			switch change {
			case .initial(let messages):
				self.log.append("initial \(messages.count)")
			case .update(_, let deletions, let insertions, let modifications):
				self.log.append("-\(deletions.count) +\(insertions.count) ~\(modifications.count)")
			case .error(let error):
				self.log.append("error \(error)")
			}
		}
	}

	func close() -> Int {
		do {
			try realm.write { realm.deleteAll() }
		} catch let failure as NSError {
			return failure.code
		}
		return 0
	}
}

protocol ChatServiceDelegate: AnyObject {
	func chatService(_ service: ChatService, sent text: String)
}
