/// The files of the page, which are part of the program.
enum PageFiles {
  /// Returns the file of a path; `/` is the page itself.
  static func file(_ path: [String]) -> StudioResponse.Answer? {
    guard path.count <= 1 else { return nil }
    let name = path.first ?? ""
    guard let bytes = all[name.isEmpty ? "index.html" : name] else { return nil }
    return StudioResponse.Answer(type: type(of: name), body: bytes)
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/html; charset=utf-8"
    }
  }

  private static let all: [String: [UInt8]] = [
    "api.js": PackageResources.api_js,
    "columns.js": PackageResources.columns_js,
    "complete.js": PackageResources.complete_js,
    "copying.js": PackageResources.copying_js,
    "data.js": PackageResources.data_js,
    "dom.js": PackageResources.dom_js,
    "edit.js": PackageResources.edit_js,
    "feed.js": PackageResources.feed_js,
    "graph.js": PackageResources.graph_js,
    "grid.js": PackageResources.grid_js,
    "help.js": PackageResources.help_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "layout.js": PackageResources.layout_js,
    "main.js": PackageResources.main_js,
    "migration.js": PackageResources.migration_js,
    "model.js": PackageResources.model_js,
    "object.js": PackageResources.object_js,
    "plan.js": PackageResources.plan_js,
    "querybar.js": PackageResources.querybar_js,
    "rail.js": PackageResources.rail_js,
    "space.js": PackageResources.space_js,
    "state.js": PackageResources.state_js,
    "studio.css": PackageResources.studio_css,
    "text.js": PackageResources.text_js,
    "values.js": PackageResources.values_js,
    "versions.js": PackageResources.versions_js,
    "windows.js": PackageResources.windows_js,
  ]
}
