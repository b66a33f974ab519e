import Foundation
import RealmSwift

public struct ChatFailure: Error, CustomStringConvertible {
	public let description: String
}

private func expect<T: Equatable>(_ value: T, _ expected: T, line: Int = #line) throws {
	if value != expected { throw ChatFailure(description: "ChatChecks, line \(line): \(value) and not \(expected)") }
}

private final class Recorder: ChatServiceDelegate {
	var texts: [String] = []
	func chatService(_ service: ChatService, sent text: String) { texts.append(text) }
}

public enum ChatChecks {
	public static func run() throws {
		let configuration = Realm.Configuration(
			inMemoryIdentifier: "chat",
			objectTypes: [ChatUser.self, Room.self, Message.self, Attachment.self])
		let service = try ChatService(configuration: configuration)
		let recorder = Recorder()
		service.delegate = recorder
		let ann = ChatUser(id: "a", nickname: "ann")
		let bob = ChatUser(id: "b", nickname: "bob")
		let room = try service.join(ann, room: 5)
		_ = try service.join(bob, room: 5)
		try service.send("hello", from: ann, to: room)
		try service.send("a picture", from: ann, to: room, kind: .image)
		try service.send("🎉", from: bob, to: room)
		try expect(recorder.texts, ["hello", "a picture", "🎉"])
		try rooms(service, room, ann, bob)
		try attachments(service, room)
		try schema(configuration)
		try expect(service.close(), 0)
	}

	private static func rooms(_ service: ChatService, _ room: Room, _ ann: ChatUser, _ bob: ChatUser) throws {
		try expect(room.members.count, 2)
		try expect(room.messages.map { $0.sequence }, [1, 2, 3])
		try expect(room.messages[1].kind, .image)
		try expect(room[position: 2]?.text, "🎉")
		try expect(room[position: 9]?.text, nil)
		try expect(room.lastMessage?.sender?.address, "@bob")
		try expect(room.messages.first?.rooms.first?.roomId, 5)
		try expect(room.language, "en")
		try expect(ann.unread.value, 1)
		try expect(bob.unread.value, nil)
		try expect(service.unreadCounts().map { $0.0 }, ["ann"])
		try service.read(room, by: ann)
		try expect(room.lastReadPositions["a"], 3)
		try expect(service.unreadCounts().count, 0)
		try service.mute([ann, bob], until: 100)
		try service.mute([bob], until: nil)
		try expect(service.muted().map { $0.nickname }, ["ann"])
		let withUnread = room.members.filter("unread != nil")
		try expect(withUnread.first?.unread.value, 0)
	}

	private static func attachments(_ service: ChatService, _ room: Room) throws {
		try service.attach("song.mp3", seconds: 12.5, to: room.messages.first)
		try expect(service.playingTime(room), 12.5)
		try expect(service.firstDuration(room), 12.5)
		let first = room.messages[0]
		try expect(first.attachment?.fileName, "song.mp3")
		try expect(first.payload.value, .int(7))
		let newest = room.messages.sorted(by: \.sequence, ascending: false).first
		try expect(newest?.text, "🎉")
	}

	private static func schema(_ configuration: Realm.Configuration) throws {
		let realm = try Realm(configuration: configuration)
		try expect(realm.schema["Room"]?.primaryKeyProperty?.name, "roomId")
		try expect(realm.schema["ChatUser"]?.primaryKeyProperty?.name, "userId")
		try expect(realm.schema["Room"]?.properties.count, 9)
		try expect(realm.schema["Message"]?["sentAt"]?.isIndexed, true)
		try expect(realm.schema["Message"]?["rawKind"]?.type, .string)
		try expect(realm.schema["Attachment"]?.properties.count, 4)
	}
}
