/// The code of an error, for programs; it stays the same from version to version.
///
/// Docs/ERRORS.md lists all of them. A code is never given another meaning; new ones are added.
public enum ErrorCode: String, Hashable, Sendable, Codable, CaseIterable {
  // MARK: General
  /// A failure without a code of its own.
  case failed
  /// The user stopped it, or it was cancelled.
  case interrupted
  /// The requested thing does not exist.
  case notFound = "not-found"
  /// A sign-in is needed first.
  case signInNeeded = "sign-in-needed"
  /// There is no network.
  case noNetwork = "no-network"
  /// The name can mean more than one thing.
  case ambiguous
  /// The thing's state does not allow the action.
  case notPossible = "not-possible"
  /// It uses something that Portolan does not support.
  case unsupported

  // MARK: Files and disks
  /// There is no such file.
  case noSuchFile = "no-such-file"
  /// There is no such folder.
  case noSuchFolder = "no-such-folder"
  /// A file or a folder cannot be read.
  case unreadable
  /// A file or a folder cannot be written.
  case unwritable
  /// A file or its folder cannot be written to.
  case readOnly = "read-only"
  /// There is not enough free space.
  case diskFull = "disk-full"
  /// There is a file of that name already.
  case alreadyExists = "already-exists"
  /// It is a folder, a pipe or a device where a file is needed.
  case notAFile = "not-a-file"
  /// A file ends before its contents do.
  case truncated
  /// A path leads out of the folder that it belongs to.
  case unsafePath = "unsafe-path"
  /// Another process holds it.
  case inUse = "in-use"
  /// It cannot be known whether the disk has kept what was written.
  case durabilityUnknown = "durability-unknown"
  /// The contents of a file are damaged.
  case damaged
  /// It is no file of a kind that Portolan knows.
  case unknownKind = "unknown-kind"
  /// Only Esri's software opens the file.
  case closedFormat = "closed-format"

  // MARK: Archives
  /// The file is no ZIP archive.
  case notAnArchive = "not-an-archive"
  /// An entry of an archive has a name that leads elsewhere.
  case unsafeName = "unsafe-name"
  /// More data than is allowed.
  case tooLarge = "too-large"
  /// The archive has no such entry.
  case noSuchEntry = "no-such-entry"

  // MARK: Packages
  /// The file is no map package.
  case notAPackage = "not-apackage"
  /// The file is of a version that is not known.
  case unsupportedVersion = "unsupported-version"
  /// The package may not be opened any longer.
  case expired
  /// A name cannot be used.
  case unusableName = "unusable-name"
  /// Two maps of a package have one name.
  case repeatedName = "repeated-name"
  /// A layer's data is missing.
  case missingData = "missing-data"
  /// A map names a file outside its package.
  case pathLeavesPackage = "path-leaves-package"
  /// There is no such map.
  case noSuchMap = "no-such-map"
  /// There is no such bookmark.
  case noSuchBookmark = "no-such-bookmark"

  // MARK: Features
  /// There is no such table.
  case noSuchTable = "no-such-table"
  /// The table has no such field.
  case noSuchField = "no-such-field"
  /// There is no such layer.
  case noSuchLayer = "no-such-layer"
  /// The layer is there, but cannot be searched.
  case unsearchableLayer = "unsearchable-layer"
  /// There is no such feature.
  case noSuchRow = "no-such-row"
  /// There is no such attachment.
  case noSuchAttachment = "no-such-attachment"
  /// An edit refers to one that is not in its group.
  case noSuchEdit = "no-such-edit"
  /// The file has no features.
  case noFeatures = "no-features"
  /// The where clause cannot be understood.
  case badWhereClause = "bad-where-clause"
  /// A row of the table cannot be read.
  case unreadableRow = "unreadable-row"
  /// A service did not answer a query.
  case unanswered
  /// The table cannot be edited.
  case tableNotEditable = "table-not-editable"
  /// Features of the table cannot have attachments.
  case noAttachments = "no-attachments"
  /// The feature cannot belong to the other.
  case cannotRelate = "cannot-relate"
  /// The table has no object ids left.
  case objectIdsUsedUp = "object-ids-used-up"
  /// A field was given two values.
  case duplicateField = "duplicate-field"
  /// The field cannot be changed.
  case readOnlyField = "read-only-field"
  /// The value is of another type than the field.
  case wrongType = "wrong-type"
  /// The value is outside what the field can hold.
  case outOfRange = "out-of-range"
  /// The text is longer than the field allows.
  case textTooLong = "text-too-long"
  /// The contents are longer than the field allows.
  case dataTooLong = "data-too-long"
  /// The field must have a value.
  case nullNotAllowed = "null-not-allowed"
  /// The field's domain does not allow the value.
  case valueNotInDomain = "value-not-in-domain"
  /// There is no subtype of that code.
  case unknownSubtype = "unknown-subtype"
  /// Rows of the table have no shape.
  case geometryNotAllowed = "geometry-not-allowed"
  /// The table holds shapes of another type.
  case wrongGeometryType = "wrong-geometry-type"
  /// The shapes of the table need heights.
  case missingHeights = "missing-heights"
  /// The shapes of the table hold no heights or measures.
  case surplusOrdinates = "surplus-ordinates"
  /// The shape has too few vertices.
  case incompleteGeometry = "incomplete-geometry"
  /// A coordinate is no number.
  case notFinite = "not-finite"
  /// A coordinate is outside what the table stores.
  case outsideCoordinateRange = "outside-coordinate-range"
  /// The edges of the shape cross each other.
  case ringsCross = "rings-cross"
  /// There is no edit to undo.
  case nothingToUndo = "nothing-to-undo"
  /// The file was closed.
  case closed
  /// The file or the server did not accept it.
  case refused
  /// It cannot be known whether the edit was written.
  case unconfirmed
  /// Another user has changed the same part of a feature.
  case changedMeanwhile = "changed-meanwhile"
  /// A table cannot be made as it is described.
  case invalidSchema = "invalid-schema"
  /// A value cannot be written.
  case invalidValue = "invalid-value"

  // MARK: Searching
  /// The map has nothing that can be searched.
  case nothingToSearch = "nothing-to-search"
  /// The index of a search is damaged.
  case damagedIndex = "damaged-index"
  /// A layer cannot be read for searching.
  case unreadableLayer = "unreadable-layer"

  // MARK: Geometry
  /// The text or the data do not follow their format.
  case malformed
  /// The spatial reference is not known.
  case unknownSpatialReference = "unknown-spatial-reference"
  /// Coordinates cannot be transformed between the two references.
  case noTransformation = "no-transformation"
  /// The place is outside the area of the projection.
  case outsideProjection = "outside-projection"
  /// The shape is invalid.
  case invalidGeometry = "invalid-geometry"
  /// A geometric operation failed.
  case operationFailed = "operation-failed"
  /// A document is nested too deeply.
  case nestedTooDeep = "nested-too-deep"

  // MARK: Tiles and pictures
  /// A tile is damaged.
  case damagedTile = "damaged-tile"
  /// There are more tiles than are allowed.
  case tooManyTiles = "too-many-tiles"
  /// A picture of that size cannot be drawn.
  case unusableSize = "unusable-size"
  /// There is not enough memory.
  case outOfMemory = "out-of-memory"
  /// A picture cannot be decoded.
  case notDecoded = "not-decoded"
  /// A picture cannot be encoded.
  case notEncoded = "not-encoded"

  /// There is no valid description of a tile source.
  case notATileSource = "not-a-tile-source"
  /// There is no source of tiles of that name.
  case noSuchTileSource = "no-such-tile-source"
  /// The server answered with something that is no such tile.
  case notATile = "not-a-tile"
  /// The tile is not in the cache, and the server may not be asked.
  case notCached = "not-cached"
  /// The operator of the tiles does not allow taking so many along.
  case bulkForbidden = "bulk-forbidden"
  /// There is no such region of tiles.
  case noSuchRegion = "no-such-region"
  /// The file of the tile cache cannot be used.
  case cacheFailed = "cache-failed"

  // MARK: Conversion
  /// The name of the target does not say its format.
  case unknownTarget = "unknown-target"
  /// The source cannot be converted to the target's format.
  case wrongTarget = "wrong-target"
  /// Source and target are one file.
  case sameFile = "same-file"
  /// The target exists already.
  case targetExists = "target-exists"
  /// The source has several layers, and the target holds one.
  case severalLayers = "several-layers"
  /// The source has nothing that can be converted.
  case nothingToConvert = "nothing-to-convert"

  // MARK: Authoring
  /// The file that describes a package, or data that it names, are not as they must be.
  case invalidSpecification = "invalid-specification"

  // MARK: Network
  /// The text is no address.
  case badAddress = "bad-address"
  /// The host is not known.
  case unknownHost = "unknown-host"
  /// The host cannot be reached.
  case unreachable
  /// The host's certificate is not trusted.
  case untrusted
  /// The host did not answer in time.
  case timedOut = "timed-out"
  /// The connection broke.
  case connectionLost = "connection-lost"
  /// The address leads from one to the next without end.
  case tooManyRedirects = "too-many-redirects"

  // MARK: Portals
  /// The account may not do that.
  case notPermitted = "not-permitted"
  /// The server asks clients to back off for a while.
  case rateLimited = "rate-limited"
  /// The server reported an error.
  case serverError = "server-error"
  /// The server answered with something else than JSON.
  case notJson = "not-json"
  /// The server's answer is not what was expected.
  case unexpectedAnswer = "unexpected-answer"
  /// The address is not that of a portal.
  case notAPortal = "not-aportal"
  /// It is no id of an item.
  case invalidId = "invalid-id"
  /// The portal refused the user name, the password or the code.
  case signInRefused = "sign-in-refused"
  /// Signing in did not come to an end.
  case signInUnfinished = "sign-in-unfinished"
  /// The place where sign-ins are kept cannot be used.
  case credentialsUnavailable = "credentials-unavailable"

  // MARK: Web maps
  /// The item is no web map.
  case notAWebMap = "not-aweb-map"
  /// The web map is empty.
  case empty
  /// The map does not say where the layer's data are.
  case noAddress = "no-address"
  /// The layer's service wants a key.
  case keyNeeded = "key-needed"

  // MARK: Downloads
  /// The portal is still packaging the area.
  case packagingNotComplete = "packaging-not-complete"
  /// The portal could not package the area.
  case packagingFailed = "packaging-failed"
  /// The area has no packages that could be stored.
  case noPackages = "no-packages"
  /// The item is of a type that cannot be downloaded.
  case wrongItemType = "wrong-item-type"
  /// The reference basemap is not on this device.
  case noReferenceBasemap = "no-reference-basemap"
  /// The parameters of a job cannot be read.
  case badParameters = "bad-parameters"
  /// The kind of job is not known to this version.
  case unknownJobKind = "unknown-job-kind"
  /// The area has no extent.
  case areaEmpty = "area-empty"
  /// The area crosses the date line.
  case areaCrossesDateline = "area-crosses-dateline"
  /// The area lies outside of what the map or the source covers.
  case areaOutside = "area-outside"
  /// Two options on attachments exclude each other.
  case attachmentOptions = "attachment-options"
  /// The scales are the wrong way round.
  case badScales = "bad-scales"
  /// The owner of the map does not allow taking it offline.
  case offlineDisabled = "offline-disabled"
  /// No layer of the map can be taken offline.
  case nothingToTake = "nothing-to-take"
  /// A job that the server does for a download failed.
  case serverJobFailed = "server-job-failed"
  /// The server no longer knows a job that it does for a download.
  case serverJobForgotten = "server-job-forgotten"
  /// The layers of a service were changed while their features were fetched.
  case serviceChanged = "service-changed"
  /// The map is not registered as a replica at any service, so that it cannot be synchronized.
  case notSynchronized = "not-synchronized"
  /// The service no longer has the replica.
  case replicaForgotten = "replica-forgotten"
  /// The service registers no replica of the map, so that it cannot be synchronized there.
  case replicaRefused = "replica-refused"
  /// A service ended a synchronization without the file that has its changes.
  case changesMissing = "changes-missing"
  /// The portal does not keep the updates any more that an area lacks.
  case updatesPurged = "updates-purged"
  /// A map could not be synchronized.
  case syncFailed = "sync-failed"
  /// There is no such download.
  case noSuchJob = "no-such-job"
  /// The journal of jobs cannot be read or written.
  case journalFailed = "journal-failed"
  /// A download failed.
  case downloadFailed = "download-failed"

  // MARK: Library
  /// The catalogue of maps cannot be used.
  case catalogueFailed = "catalogue-failed"
  /// The catalogue was written by a newer version.
  case newerCatalogue = "newer-catalogue"
  /// The catalogue of maps is damaged.
  case damagedCatalogue = "damaged-catalogue"
  /// Another process holds the catalogue.
  case busyCatalogue = "busy-catalogue"
  /// The home folder cannot be written to.
  case readOnlyHome = "read-only-home"
  /// The map is not in the trash.
  case notInTrash = "not-in-trash"
  /// Nothing of that name was set aside.
  case notKept = "not-kept"
  /// There is no earlier version of the map.
  case noEarlierVersion = "no-earlier-version"
  /// The files of the map are missing.
  case filesMissing = "files-missing"
  /// The map is being edited.
  case beingEdited = "being-edited"
  /// The map was replaced by a newer version meanwhile.
  case outdated
  /// The map has edits that were not sent.
  case unsentEdits = "unsent-edits"
  /// It cannot be known whether the map has edits that were not sent.
  case editsUnknown = "edits-unknown"
  /// The file does not belong to Portolan.
  case notOurs = "not-ours"

  // MARK: Shells
  /// A command or a request is not one that is understood.
  case usage
  /// Several layers have the name.
  case ambiguousLayer = "ambiguous-layer"
  /// The user declined.
  case declined
  /// There is no terminal to ask for confirmation at.
  case notConfirmed = "not-confirmed"
  /// A password or a token is needed, and there is none.
  case noSecret = "no-secret"
  /// The layer has no server to sign in to.
  case noServer = "no-server"
  /// No temporary file can be made.
  case noTemporaryFile = "no-temporary-file"
  /// The result could not be written to standard output.
  case outputFailed = "output-failed"
  /// Scripts run each other too deeply.
  case scriptsNestedTooDeep = "scripts-nested-too-deep"
  /// Another program listens on the port.
  case portInUse = "port-in-use"
  /// The program was built without this part.
  case notIncluded = "not-included"
}
