internal import PortolanLibrary

/// What a map is to be made of, as a portal says before anything is fetched.
struct DownloadPlan: Hashable, Sendable {
  /// The id that the map is stored under.
  let mapID: MapID
  /// How it is stored.
  let form: StoredMap.Form
  /// The files that are fetched.
  let files: [PlannedFile]
}
