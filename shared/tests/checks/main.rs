mod adam;
mod elementwise;
mod layers;
mod module;
mod random;
mod shards;
mod tape;
