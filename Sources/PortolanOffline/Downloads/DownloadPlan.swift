internal import PortolanLibrary

/// The files of a map, as a portal lists them before anything is fetched.
struct DownloadPlan: Hashable, Sendable {
  /// The id that the map is stored under.
  let mapID: MapID
  /// How it is stored.
  let form: StoredMap.Form
  /// The files that are fetched.
  let files: [PlannedFile]
}
