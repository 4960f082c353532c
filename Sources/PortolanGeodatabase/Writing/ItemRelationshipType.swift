/// The ways in which items may relate, in the order of `GDB_ItemRelationshipTypes`.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
struct ItemRelationshipType: Sendable {
  let uuid: String
  let name: String
  let forwardLabel: String
  let backwardLabel: String
  let origin: ItemType
  let destination: ItemType
  let isContainment: Bool

  static let folderInFolder = ItemRelationshipType(
    uuid: "{0D10B3A7-2F64-45E6-B7AC-2FC27BF2133C}", name: "FolderInFolder",
    forwardLabel: "Parent Folder Of", backwardLabel: "Child Folder Of",
    origin: .folder, destination: .folder, isContainment: true)

  static let itemInFolder = ItemRelationshipType(
    uuid: "{5DD0C1AF-CB3D-4FEA-8C51-CB3BA8D77CDB}", name: "ItemInFolder",
    forwardLabel: "Contains Item", backwardLabel: "Contained In Folder",
    origin: .folder, destination: .item, isContainment: true)

  static let datasetInFeatureDataset = ItemRelationshipType(
    uuid: "{A1633A59-46BA-4448-8706-D8ABE2B2B02E}", name: "DatasetInFeatureDataset",
    forwardLabel: "Contains Dataset", backwardLabel: "Contained In FeatureDataset",
    origin: .featureDataset, destination: .dataset, isContainment: true)

  static let datasetInFolder = ItemRelationshipType(
    uuid: "{DC78F1AB-34E4-43AC-BA47-1C4EABD0E7C7}", name: "DatasetInFolder",
    forwardLabel: "Contains Dataset", backwardLabel: "Contained in Dataset",
    origin: .folder, destination: .dataset, isContainment: true)

  static let domainInDataset = ItemRelationshipType(
    uuid: "{17E08ADB-2B31-4DCD-8FDD-DF529E88F843}", name: "DomainInDataset",
    forwardLabel: "Contains Domain", backwardLabel: "Contained in Dataset",
    origin: .dataset, destination: .domain, isContainment: false)

  static let datasetsRelatedThrough = ItemRelationshipType(
    uuid: "{725BADAB-3452-491B-A795-55F32D67229C}", name: "DatasetsRelatedThrough",
    forwardLabel: "Origin Of", backwardLabel: "Destination Of",
    origin: .dataset, destination: .dataset, isContainment: false)

  static let featureClassInTopology = ItemRelationshipType(
    uuid: "{D088B110-190B-4229-BDF7-89FDDD14D1EA}", name: "FeatureClassInTopology",
    forwardLabel: "Spatially Manages Feature Class", backwardLabel: "Participates In Topology",
    origin: .topology, destination: .featureClass, isContainment: false)

  static let featureClassInGeometricNetwork = ItemRelationshipType(
    uuid: "{DC739A70-9B71-41E8-868C-008CF46F16D7}", name: "FeatureClassInGeometricNetwork",
    forwardLabel: "Spatially Manages Feature Class",
    backwardLabel: "Participates In Geometric Network",
    origin: .geometricNetwork, destination: .featureClass, isContainment: false)

  static let featureClassInNetworkDataset = ItemRelationshipType(
    uuid: "{B32B8563-0B96-4D32-92C4-086423AE9962}", name: "FeatureClassInNetworkDataset",
    forwardLabel: "Spatially Manages Feature Class",
    backwardLabel: "Participates In Network Dataset",
    origin: .networkDataset, destination: .featureClass, isContainment: false)

  static let featureClassInTerrain = ItemRelationshipType(
    uuid: "{55D2F4DC-CB17-4E32-A8C7-47591E8C71DE}", name: "FeatureClassInTerrain",
    forwardLabel: "Spatially Manages Feature Class", backwardLabel: "Participates In Terrain",
    origin: .terrain, destination: .featureClass, isContainment: false)

  static let featureClassInParcelFabric = ItemRelationshipType(
    uuid: "{583A5BAA-3551-41AE-8AA8-1185719F3889}", name: "FeatureClassInParcelFabric",
    forwardLabel: "Spatially Manages Feature Class", backwardLabel: "Participates In Parcel Fabric",
    origin: .parcelFabric, destination: .featureClass, isContainment: false)

  static let tableInParcelFabric = ItemRelationshipType(
    uuid: "{5F9085E0-788F-4354-AE3C-34C83A7EA784}", name: "TableInParcelFabric",
    forwardLabel: "Manages Table", backwardLabel: "Participates In Parcel Fabric",
    origin: .parcelFabric, destination: .table, isContainment: false)

  static let representationOfFeatureClass = ItemRelationshipType(
    uuid: "{E79B44E3-F833-4B12-90A1-364EC4DDC43E}", name: "RepresentationOfFeatureClass",
    forwardLabel: "Feature Class Representation", backwardLabel: "Represented Feature Class",
    origin: .featureClass, destination: .representationClass, isContainment: false)

  static let replicaDatasetInReplica = ItemRelationshipType(
    uuid: "{8DB31AF1-DF7C-4632-AA10-3CC44B0C6914}", name: "ReplicaDatasetInReplica",
    forwardLabel: "Replicated Dataset", backwardLabel: "Participates In Replica",
    origin: .replica, destination: .replicaDataset, isContainment: true)

  static let datasetOfReplicaDataset = ItemRelationshipType(
    uuid: "{D022DE33-45BD-424C-88BF-5B1B6B957BD3}", name: "DatasetOfReplicaDataset",
    forwardLabel: "Replicated Dataset", backwardLabel: "Dataset of Replicated Dataset",
    origin: .replicaDataset, destination: .dataset, isContainment: false)

  static let syncDatasetInSyncReplica = ItemRelationshipType(
    uuid: "{CC28387C-441F-4D7C-A802-41A160317FE0}", name: "SyncDatasetInSyncReplica",
    forwardLabel: "Sync Dataset", backwardLabel: "Participates In Sync Replica",
    origin: .syncReplica, destination: .syncDataset, isContainment: true)

  static let datasetOfSyncDataset = ItemRelationshipType(
    uuid: "{79CC71C8-B7D9-4141-9014-B6373E236ABB}", name: "DatasetOfSyncDataset",
    forwardLabel: "Replicated Dataset", backwardLabel: "Dataset Of Sync Dataset",
    origin: .syncDataset, destination: .dataset, isContainment: false)

  static let featureClassInUtilityNetwork = ItemRelationshipType(
    uuid: "{95C22AFD-AA36-431D-B195-1779A256C6B2}", name: "FeatureClassInUtilityNetwork",
    forwardLabel: "Spatially Manages Feature Class",
    backwardLabel: "Participates In Utility Network",
    origin: .utilityNetwork, destination: .featureClass, isContainment: false)

  static let tableInUtilityNetwork = ItemRelationshipType(
    uuid: "{CCD6E1C9-9238-40D4-843F-C5DAFD3D2BDE}", name: "TableInUtilityNetwork",
    forwardLabel: "Manages Table", backwardLabel: "Participates In Utility Network",
    origin: .utilityNetwork, destination: .table, isContainment: false)

  static let featureClassInParcelDataset = ItemRelationshipType(
    uuid: "{74DAC6C1-A6F2-4603-88A8-D09BCCFDCF21}", name: "FeatureClassInParcelDataset",
    forwardLabel: "Spatially Manages Feature Class",
    backwardLabel: "Participates In Parcel Dataset",
    origin: .parcelDataset, destination: .featureClass, isContainment: false)

  static let tableInParcelDataset = ItemRelationshipType(
    uuid: "{7D2A7A69-ABD8-4AA7-AC08-9E4DDB86289E}", name: "TableInParcelDataset",
    forwardLabel: "Manages Table", backwardLabel: "Participates In Parcel Dataset",
    origin: .parcelDataset, destination: .table, isContainment: false)

  static let featureClassInLocationReferencingDataset = ItemRelationshipType(
    uuid: "{20D1F656-14BA-44CB-9A60-58D2D44F7A83}",
    name: "FeatureClassInLocationReferencingDataset",
    forwardLabel: "Spatially Manages Feature Class",
    backwardLabel: "Participates In Location Referencing Dataset",
    origin: .locationReferencingDataset, destination: .featureClass, isContainment: false)

  static let tableInLocationReferencingDataset = ItemRelationshipType(
    uuid: "{6EEDDDCE-64F9-4549-BAAD-F05A36C205ED}", name: "TableInLocationReferencingDataset",
    forwardLabel: "Manages Table", backwardLabel: "Participates In Location Referencing Dataset",
    origin: .locationReferencingDataset, destination: .table, isContainment: false)

  static let all = [
    folderInFolder, itemInFolder, datasetInFeatureDataset, datasetInFolder, domainInDataset,
    datasetsRelatedThrough, featureClassInTopology, featureClassInGeometricNetwork,
    featureClassInNetworkDataset, featureClassInTerrain, featureClassInParcelFabric,
    tableInParcelFabric, representationOfFeatureClass, replicaDatasetInReplica,
    datasetOfReplicaDataset, syncDatasetInSyncReplica, datasetOfSyncDataset,
    featureClassInUtilityNetwork, tableInUtilityNetwork, featureClassInParcelDataset,
    tableInParcelDataset, featureClassInLocationReferencingDataset,
    tableInLocationReferencingDataset,
  ]
}
