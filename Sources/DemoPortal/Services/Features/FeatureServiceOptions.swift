/// The name and the capabilities of a hosted feature service.
struct FeatureServiceOptions: Sendable {
  /// The name in its address.
  var name: String
  /// The summary, for people.
  var summary = ""
  /// The capabilities, as services name them.
  var capabilities = "Create,Delete,Query,Update,Editing,Extract,Sync,ChangeTracking,Uploads"
  /// The most features that one query answers.
  var maxRecordCount = 2000
  /// Whether queries take `resultOffset` and `resultRecordCount`.
  var supportsPagination = true
  /// The formats that queries answer in, as layers list them.
  var formats = ["JSON", "geoJSON", "PBF"]
  /// The field that says when features happened; `nil` if the layers know no time.
  var timeField: String?
  /// The product whose behaviour the service follows.
  var product = DemoProduct.recent
  /// Whether only who is signed in may see it.
  var needsToken = false

  /// Whether `word` is one of the capabilities.
  func can(_ word: String) -> Bool {
    capabilities.split(separator: ",").contains { $0 == word }
  }

  /// Whether replicas can be created and synchronized.
  var supportsSync: Bool { can("Sync") }

  /// Whether features can be changed.
  var isEditable: Bool { can("Editing") }
}
