/// The records of maps on this device, of their versions, and of those that are about to be stored.
public protocol StoredMapStorage: Sendable {
  // MARK: Maps

  /// The maps that are stored, those in the trash included, by title.
  func storedMaps() async throws(LibraryError) -> [StoredMap]

  /// A stored map, also one in the trash.
  func storedMap(_ id: MapID) async throws(LibraryError) -> StoredMap?

  /// Writes a record, in place of the one with the same id, and forgets in the same transaction
  /// that such a map was about to be stored.
  ///
  /// The record of a map that is deleted can be written on a full disk too.
  func save(_ map: StoredMap) async throws(LibraryError)

  /// Forgets a stored map, its versions and its picture; possible on a full disk too.
  func removeStoredMap(_ id: MapID) async throws(LibraryError)

  /// Keeps how a map was downloaded that is about to be lost, until it is stored again.
  func keepOptions(of map: StoredMap) async throws(LibraryError)

  /// How a map was downloaded that was lost since.
  func lostOptions(of id: MapID) async throws(LibraryError) -> StoredAreaOptions?

  // MARK: Versions

  /// All versions of a map that are recorded, by their numbers.
  func versions(of id: MapID) async throws(LibraryError) -> [MapVersion]

  /// The recorded versions of all maps that are not the current ones, by map and number.
  func earlierVersions() async throws(LibraryError) -> [MapVersion]

  /// Makes a version the current one of its map, and records the one that it replaces, in one
  /// transaction, which also forgets that such a map was about to be stored.
  ///
  /// A version in which editing has begun stays recorded as edited: another process may have done
  /// so since it was read.
  func install(
    _ version: MapVersion, replacing previous: MapVersion?
  ) async throws(LibraryError)

  /// Forgets a version; possible on a full disk too.
  func removeVersion(_ number: Int, of id: MapID) async throws(LibraryError)

  /// Records that editing of a version begins.
  func markEdited(_ number: Int, of id: MapID) async throws(LibraryError)

  // MARK: Maps about to be stored

  /// Records that a map is about to take its place, instead of an earlier one of the same id.
  func announce(_ installation: MapInstallation) async throws(LibraryError)

  /// Records that a map that was about to take its place has not done so.
  func withdraw(_ installation: MapInstallation) async throws(LibraryError)

  /// The maps that are about to take their place.
  func installations() async throws(LibraryError) -> [MapInstallation]

  // MARK: Days of use

  /// Records that the home is used on a day, given by a number that differs from day to day.
  ///
  /// - Returns: How many days it was used on so far. A clock that jumps adds one; one that goes back and
  ///   forth adds nothing more.
  func recordUse(onDay day: Int) async throws(LibraryError) -> Int
}
