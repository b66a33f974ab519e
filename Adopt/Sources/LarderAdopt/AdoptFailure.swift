/// The reason that a run cannot be made, with its file.
enum AdoptFailure: Error, Equatable, CustomStringConvertible {
  case notFound(path: String)
  case unreadable(path: String, reason: String)
  case notText(path: String)
  case unwritable(path: String, reason: String)

  var description: String {
    switch self {
    case .notFound(let path): "\(path): there is no such file or folder; nothing was changed"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason); nothing was changed"
    case .notText(let path): "\(path): is no text in UTF-8; convert it, or leave it out; nothing was changed"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason); files before it in the list were written"
    }
  }
}
