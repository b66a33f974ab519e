import BenchLMDB
import BenchSQLite
import GRDB

@main
struct Main {
  static func main() throws {
    print(sqlite3_libversion_number())
    let q = try DatabaseQueue()
    print(try q.read { try Int.fetchOne($0, sql: "select 1") } as Any)
  }
}
